// The order of test files: the slowest start first, so that none of them starts when all others have ended and a core is idle.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BaseSequencer } from "vitest/node";
import { root } from "../folders.mjs";

/** Files that take more than about 20 s, or 50 s beside four others, slowest first (`npm test` prints them). Vitest orders the others by size. */
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
  "cli/standing-walk.itest.ts",
  "server/usecases/access/people/people.itest.ts",
  "cli/reading.itest.ts",
  "server/controller/system/journeys/platform.itest.ts",
  "scripts/setup/migrate.itest.ts",
  "server/usecases/assurance/policy-changes/two-people.itest.ts",
  "cli/watching.itest.ts",
  "server/surfaces/tenancy.itest.ts",
  "server/surfaces/machine/agent/agent.itest.ts",
  "server/surfaces/machine/ironic/states/states.itest.ts",
  "cli/commands/sites/site.itest.ts",
  "server/surfaces/machine/outsider.itest.ts",
  "server/usecases/assurance/approvals/approvals.itest.ts",
  "server/usecases/assurance/policy-changes/policy-changes.itest.ts",
  "server/usecases/assurance/assurance.itest.ts",
  "server/usecases/sites/sites.itest.ts",
  "server/usecases/access/access.itest.ts",
  "prisma/seed/begin.itest.ts",
  "server/usecases/sites/authorities.itest.ts",
  "server/surfaces/machine/ironic/nodes/records.itest.ts",
  "cli/testing/roles.itest.ts",
  "server/usecases/sites/history.itest.ts",
  "cli/acting.itest.ts",
  "server/surfaces/machine/agent/reports.itest.ts",
  "cli/account.itest.ts",
  "scripts/postgres/cluster.itest.ts",
  "server/controller/system/journeys/plan.itest.ts",
  "cli/commands/hosts/enrolment/empty-site.itest.ts",
  "server/controller/system/journeys/controller.itest.ts",
  "cli/commands/cleaning/operating.itest.ts",
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
