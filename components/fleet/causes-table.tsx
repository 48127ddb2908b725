// Why hosts are not back: causes of failure and states over their limit, most hosts first, with the running share.
import Link from "next/link";
import { Mark } from "@/components/ui/mark";
import type { FleetCause } from "@/server/surfaces/trpc/types";
import { routes } from "@/server/domain/console/routes";

/** Each number leads to the hosts behind it. */
export function CausesTable({ causes }: { causes: readonly FleetCause[] }) {
  const most = Math.max(1, ...causes.map(({ count }) => count));
  return (
    <table className="t tight causes" aria-label="Why hosts are not back">
      <colgroup>
        <col className="col-cause" />
        <col />
        <col className="col-bar" />
        <col className="col-count" />
        <col className="col-share" />
      </colgroup>
      <thead className="vh">
        <tr>
          <th scope="col">Cause</th>
          <th scope="col">What it is</th>
          <th scope="col">Share</th>
          <th scope="col">Hosts</th>
          <th scope="col">Hosts up to here</th>
        </tr>
      </thead>
      <tbody>
        {causes.map((cause) => {
          const tone = cause.kind === "failed" ? "failed" : "attention";
          return (
            <tr key={`${cause.kind} ${cause.label}`}>
              <td data-m="a" title={cause.label}>
                <span className="st">
                  <Mark tone={tone} />
                  <span className="cut">{cause.label.split("/").at(-1)}</span>
                </span>
              </td>
              <td className="n10" data-m="c" title={cause.words}>
                {cause.words}
              </td>
              <td>
                <svg width="100%" height="12" data-tone={tone} aria-hidden="true">
                  <rect className="tn" y="2" width={`${(92 * cause.count) / most}%`} height="8" />
                </svg>
              </td>
              <td className="r b" data-m="b">
                <Link
                  href={routes.hosts({ q: cause.filter })}
                  aria-label={`${cause.count} hosts: ${cause.label}`}
                >
                  {cause.count}
                </Link>
              </td>
              <td className="r n10" data-m="d">
                {Math.round(cause.cumulativePercent)} %
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
