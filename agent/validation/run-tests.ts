// The tests that a site may request with `validate`: the agent's own, and those that the site added to the image. An unknown test fails: what was not
// tested has not passed.
import type { ValidationBody } from "@/server/domain/agents/protocol";
import { clip } from "@/agent/steps/results";
import type { Surroundings } from "@/agent/surroundings";
import { ownTests } from "@/agent/validation/own-tests";
import type { Around } from "@/agent/validation/own-tests";
import { noSiteTests, type SiteTests } from "@/agent/validation/site-tests";
import type { Verdict } from "@/agent/validation/verdict";

function unknown({ faults }: SiteTests): Verdict {
  const files = faults.map(({ file, message }) => `${file} ${message}`).join("; ");
  return {
    passed: false,
    message: `this agent has no test of this name${files === "" ? "" : `. Files with faults: ${files}`}`,
  };
}

/** Requested and verified tests. Where no test is requested, none is run: a host that leaves the fleet need not pass any. */
const toRun = (names: readonly string[], { verified }: SiteTests): readonly string[] =>
  names.length === 0 ? [] : [...new Set([...names, ...verified])];

/** In sequence, in the requested order; then the verified tests of the site that were not requested. */
export async function runTests(
  around: Around & Pick<Surroundings, "log" | "siteTests">,
  names: readonly string[],
): Promise<ValidationBody["tests"]> {
  const { siteTests = noSiteTests } = around;
  const results: ValidationBody["tests"] = [];
  for (const name of toRun(names, siteTests)) {
    const startedAt = around.clock.now().toISOString();
    const own = ownTests.get(name);
    const ofSite = siteTests.tests.get(name);
    const { passed, message } =
      own !== undefined
        ? await own(around)
        : ofSite !== undefined
          ? await ofSite(around.log)
          : unknown(siteTests);
    results.push({
      name,
      result: passed ? "passed" : "failed",
      message: clip(message),
      startedAt,
      endedAt: around.clock.now().toISOString(),
    });
  }
  // A file with a fault may be a verified test, which nobody names and nobody would miss.
  const at = around.clock.now().toISOString();
  for (const { file, message } of names.length === 0 ? [] : siteTests.faults)
    results.push({
      name: file.slice(-64),
      result: "failed",
      message: clip(message),
      startedAt: at,
      endedAt: at,
    });
  return results;
}
