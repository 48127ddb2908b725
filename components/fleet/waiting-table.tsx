"use client";
// The hosts that wait longest, each with its next check.
import Link from "next/link";
import { Mark } from "@/components/ui/mark";
import { Age } from "@/components/ui/time/time";
import type { WaitingHost } from "@/server/surfaces/trpc/types";
import { routes } from "@/server/domain/console/routes";

/** A host at work is listed here only when it is over its limit. */
const shownTone = ({ tone }: WaitingHost) => (tone === "working" ? "attention" : tone);

/** Ten at most. */
export function WaitingTable({ hosts }: { hosts: readonly WaitingHost[] }) {
  return (
    <table className="t waiting" aria-label="Waiting longest">
      <colgroup>
        <col className="col-host" />
        <col className="col-state" />
        <col className="col-since" />
        <col />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">Host</th>
          <th scope="col">State</th>
          <th scope="col" className="r">
            Since
          </th>
          <th scope="col" className="tail">
            Check next
          </th>
        </tr>
      </thead>
      <tbody>
        {hosts.map((host) => (
          <tr key={host.hostId}>
            <td data-m="a">
              <span className="st">
                <Mark tone={shownTone(host)} />
                <span className="cut">
                  <Link className="b" href={routes.host(host.name)}>
                    {host.name}
                  </Link>
                </span>
              </span>
            </td>
            <td data-m="c" title={host.state.replaceAll("/", " / ")}>
              {host.state.split("/").at(-1)}
            </td>
            <td className="r" data-m="b">
              <Age at={host.since} />
            </td>
            <td className="n10 tail" data-m="w" title={`${host.says} ${host.checkNext}`}>
              {host.checkNext}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
