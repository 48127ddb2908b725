"use client";
// How many hosts firmware rollouts have to update, and update now (docs/platform.md#firmware-rollouts).
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "@/components/trpc/trpc";
import { formatCount } from "@/server/domain/numbers";
import { routes } from "@/server/domain/console/routes";

const everyMs = 10_000;

/** Nothing until it is read. */
export function FirmwareUpdates() {
  const trpc = useTRPC();
  const { data } = useQuery({ ...trpc.rollouts.list.queryOptions(), refetchInterval: everyMs });
  if (data === undefined) return null;
  const { hosts } = data.updates;
  return (
    <section aria-label="Firmware updates">
      <div className="sec">
        <h2>Firmware updates</h2>
        <span className="end">
          <Link href={routes.firmware()}>Open firmware</Link>
        </span>
      </div>
      <dl className="pairs">
        <dt>Hosts</dt>
        <dd>
          {formatCount(hosts.pending)} pending, {formatCount(hosts.running)} running
          {hosts.failed === 0 ? "" : `, ${formatCount(hosts.failed)} failed`}
        </dd>
        <dt>DPUs</dt>
        <dd className="text-quiet">not reported</dd>
      </dl>
    </section>
  );
}
