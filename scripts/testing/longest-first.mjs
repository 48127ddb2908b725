// The order of test files: the slowest start first, so that none of them starts when all others have ended and a core is idle.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BaseSequencer } from "vitest/node";
import { root } from "../folders.mjs";

/** Files that take more than about 20 s, slowest first (`npm test` prints them). Vitest orders the others by size. */
export const longFiles = [
  "server/controller/system/journeys/fleet-of-200.itest.ts",
  "server/controller/system/journeys/decommission.itest.ts",
  "server/controller/system/faults/outage.itest.ts",
  "server/controller/system/faults/faults.itest.ts",
  "scripts/start.itest.ts",
  "server/controller/system/faults/failure-kinds.itest.ts",
  "server/controller/system/faults/hostile.itest.ts",
  "server/controller/system/journeys/interruptions.itest.ts",
  "server/controller/system/faults/chaos.itest.ts",
  "server/controller/system/journeys/manual-cleaning.itest.ts",
  "server/surfaces/machine/ironic/states/on-hardware.itest.ts",
  "server/controller/system/faults/takeover.itest.ts",
  "server/controller/system/faults/rolling-upgrade.itest.ts",
  "server/controller/system/faults/races.itest.ts",
  "server/controller/system/journeys/repair.itest.ts",
  "server/controller/system/journeys/boot-cards.itest.ts",
  "server/controller/system/faults/firmware-quirks.itest.ts",
  "server/usecases/fleet/ten-thousand-hosts.itest.ts",
  "cli/watching.itest.ts",
  "scripts/postgres/cluster.itest.ts",
  "server/surfaces/machine/agent/reports.itest.ts",
  "server/surfaces/machine/agent/agent.itest.ts",
  "server/controller/system/journeys/plan.itest.ts",
  "cli/commands/hosts/enrolment/empty-site.itest.ts",
  "server/controller/system/journeys/controller.itest.ts",
  "prisma/seed/begin.itest.ts",
  "server/controller/testing/exploration.test.ts",
];

/**
 * Files that need a DOM come last: a worker ends, and loses its loaded modules, when the next file needs another environment.
 * @param {string} path
 */
const wantsDom = (path) => readFileSync(path, "utf8").includes("@vitest-environment");

export class LongestFirst extends BaseSequencer {
  /**
   * @override
   * @param {import("vitest/node").TestSpecification[]} files
   */
  async sort(files) {
    const rank = new Map(longFiles.map((path, index) => [join(root, path), index]));
    const place = (/** @type {import("vitest/node").TestSpecification} */ { moduleId }) =>
      rank.get(moduleId) ?? longFiles.length;
    const dom = new Set(files.map(({ moduleId }) => moduleId).filter(wantsDom));
    const inOrder = await super.sort(files);
    return inOrder.toSorted(
      (a, b) => Number(dom.has(a.moduleId)) - Number(dom.has(b.moduleId)) || place(a) - place(b),
    );
  }
}
