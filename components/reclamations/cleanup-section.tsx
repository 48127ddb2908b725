// The plan under the names of NICo's cleanup report, each with its result.
import { Mark } from "@/components/ui/mark";
import { cleanupNames } from "@/server/domain/cleaning/cleanup-summary";
import type { ReclamationDetail } from "@/server/surfaces/trpc/types";

/** Empty until a step that NICo reports has finished. */
export function CleanupSection({ cleanup }: Pick<ReclamationDetail, "cleanup">) {
  const lines = cleanupNames.flatMap((name) => {
    const line = cleanup[name];
    return line === undefined ? [] : [{ name, ...line }];
  });
  if (lines.length === 0) return null;
  return (
    <section>
      <div className="sec">
        <h2>Cleanup summary</h2>
        <span className="sum cut">as NICo reports it</span>
      </div>
      <ul className="gates two-col">
        {lines.map(({ name, result, message }) => (
          <li key={name}>
            <Mark tone={result === "OK" ? "good" : "failed"} none={false} label="" />
            <span className="mono">{name}</span>
            <span className="evidence">{result === "OK" ? result : `${result}: ${message}`}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
