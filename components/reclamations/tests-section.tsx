// The validation tests that the site requires, each with its result.
import { Mark } from "@/components/ui/mark";
import type { Tone } from "@/components/ui/tone";
import type { ReclamationDetail } from "@/server/surfaces/trpc/types";

type TestLine = ReclamationDetail["tests"][number];

const tones = {
  passed: "good",
  failed: "failed",
  skipped: "attention",
  "not run": "neutral",
} as const satisfies Record<TestLine["result"], Tone>;

/** Empty on a site without tests. */
export function TestsSection({ tests }: Pick<ReclamationDetail, "tests">) {
  if (tests.length === 0) return null;
  const count = (result: TestLine["result"]) => tests.filter((test) => test.result === result).length;
  const sum = (["passed", "failed", "skipped", "not run"] as const)
    .filter((result) => count(result) > 0)
    .map((result) => `${count(result)} ${result}`)
    .join(", ");
  return (
    <section>
      <div className="sec">
        <h2>Validation tests</h2>
        <span className="sum cut">{sum}</span>
      </div>
      <ul className="gates two-col">
        {tests.map(({ name, result }) => (
          <li key={name}>
            <Mark tone={tones[result]} none={result === "not run"} label="" />
            <span className="mono">{name}</span>
            <span className="evidence">{result}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
