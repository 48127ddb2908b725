// The limits of a site, each with what is used of it.
import type { ReactNode } from "react";
import type { SiteQueue } from "@/server/surfaces/trpc/types";

const number = (value: number) => value.toLocaleString("en");

interface LimitsTableProps {
  readonly queue: SiteQueue;
  /** A button at the head of its last column, such as one that changes them. */
  readonly act?: ReactNode;
}

export function LimitsTable({ queue, act }: LimitsTableProps) {
  return (
    <>
      {act === undefined ? null : (
        <div className="sec">
          <h3>Limits</h3>
          <span className="sum cut">policy version {queue.policyVersion}</span>
          <span className="end">{act}</span>
        </div>
      )}
      <table className="t tight limits" aria-label={`Limits of ${queue.site}`}>
        <colgroup>
          <col />
          <col className="col-number" />
          <col className="col-number" />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">Limit</th>
            <th scope="col" className="r">
              Used
            </th>
            <th scope="col" className="r">
              Most
            </th>
          </tr>
        </thead>
        <tbody>
          {queue.limits.map((line) => (
            <tr key={line.name}>
              <td data-m="a">{line.words}</td>
              <td className={line.used === null ? "r" : "r used"} data-m="b">
                {line.used === null ? "–" : number(line.used)}
              </td>
              <td className="r most" data-m="d">
                {line.limit === null ? <span className="n10">no limit</span> : number(line.limit)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
