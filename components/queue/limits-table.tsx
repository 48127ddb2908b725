// The limits of a site, each with what is used of it.
import type { SiteQueue } from "@/server/surfaces/trpc/types";

const number = (value: number) => value.toLocaleString("en");

export function LimitsTable({ queue }: { readonly queue: SiteQueue }) {
  return (
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
            <td className="r" data-m="b">
              {line.used === null ? "–" : number(line.used)}
            </td>
            <td className="r" data-m="c">
              {line.limit === null ? <span className="n10">none</span> : number(line.limit)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
