// Runs one vitest project, counts its tests and records their durations.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { pinnedNode, root } from "../folders.mjs";
import { CommandFailed, run } from "../setup/command.mjs";
import { vitestCounts } from "./counts.mjs";
import { vitestTimes } from "./durations.mjs";
import { vitestFailures } from "./failures.mjs";

/**
 * @param {"unit" | "integration"} project
 * @param {Record<string, string>} env
 * @param {AbortSignal} signal
 * @param {number} niceness of it and everything it starts
 * @param {((output: string) => void) | undefined} [say] receives all output at the end; without it, output is shown as it comes
 * @returns {Promise<import("./counts.mjs").Result | undefined>}
 */
export async function runVitest(project, env, signal, niceness, say) {
  const folder = mkdtempSync(join(tmpdir(), "reclaim-report-"));
  const report = join(folder, "report.json");
  const started = (/** @type {number | undefined} */ pid) => {
    if (pid !== undefined) setPriority(pid, niceness);
  };
  try {
    await run(
      pinnedNode,
      [
        join(root, "node_modules", "vitest", "vitest.mjs"),
        "run",
        "--project",
        project,
        "--reporter=default",
        `--reporter=${join(root, "scripts", "testing", "report.mjs")}`,
        `--outputFile.json=${report}`,
      ],
      { name: `vitest (${project})`, show: say === undefined, env, signal, started },
    ).then(say, (error) => {
      if (!(error instanceof CommandFailed)) throw error; // the report says what failed
      say?.(error.output);
    });
    const said = JSON.parse(readFileSync(report, "utf8"));
    return {
      counts: vitestCounts(said),
      times: vitestTimes(said, root),
      failures: vitestFailures(said, root),
    };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
