// Progress of a gate before its evaluation. It comes from the records alone; what is not recorded says nothing.
import { expect, it } from "vitest";
import { gateSoFar, type RecordedSoFar } from "@/server/domain/reclamations/gates/so-far";

const step = (name: string, status: string, proves: readonly string[]) => ({ name, status, proves });
const recorded = (more: Partial<RecordedSoFar> = {}): RecordedSoFar => ({
  instanceEnded: true,
  steps: [
    step("deploy.erase_nvme", "succeeded", ["storageSanitized"]),
    step("deploy.erase_disks", "running", ["storageSanitized"]),
    step("deploy.verify_mem_overwrite", "succeeded", ["memoryOverwritten"]),
  ],
  proven: { sku: null, tests: null },
  ...more,
});

it.each([
  ["instanceReleased", true, "the instance has ended"],
  ["cleanupCompleted", false, "2 of 3 steps succeeded; deploy.erase_disks is running"],
  ["storageSanitized", false, "1 of 2 steps succeeded; deploy.erase_disks is running"],
  ["memoryOverwritten", true, "deploy.verify_mem_overwrite succeeded"],
] as const)("%s", (gate, done, words) =>
  expect(gateSoFar(gate, recorded())).toEqual({ done, failed: false, words }),
);

it.each(["infinibandClean", "inventoryMatches", "validationPassed", "healthy"] as const)(
  "nothing is recorded for %s yet",
  (gate) => expect(gateSoFar(gate, recorded())).toBeNull(),
);

it("an inventory that differs and a test that failed are not done", () => {
  const proven = {
    sku: { epoch: 2, name: "r750", differences: 1, storage: null },
    tests: { epoch: 2, passed: 3, failed: ["dcgm"], skipped: [] },
  };
  expect(gateSoFar("inventoryMatches", recorded({ proven }))).toMatchObject({
    done: false,
    failed: true,
    words: "1 difference from r750",
  });
  expect(gateSoFar("validationPassed", recorded({ proven }))).toEqual({
    done: false,
    failed: true,
    words: "failed: dcgm",
  });
});

it("a step that failed has failed, and is not said to be in progress", () => {
  const steps = [step("deploy.erase_nvme", "failed", ["storageSanitized"])];
  expect(gateSoFar("storageSanitized", recorded({ steps }))).toEqual({
    done: false,
    failed: true,
    words: "0 of 1 steps succeeded; deploy.erase_nvme failed",
  });
});

it("a plan that is not made yet says nothing", () =>
  expect(gateSoFar("cleanupCompleted", recorded({ steps: [] }))).toBeNull());
