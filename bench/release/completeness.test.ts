// An incomplete record is refused: each check on its own.
import { expect, it } from "vitest";
import { assertComplete, gaps } from "@/bench/release/completeness";
import type { HostRecord } from "@/bench/release/completeness";

const complete: HostRecord = {
  name: "gpu-a-0001",
  state: "Ready",
  allocatable: true,
  instance_ended: true,
  reclamations: 1,
  outcome: "ready",
  ended: true,
  stopped_cause: null,
  message: null,
  expected: 4,
  sanitized: 4,
  steps: 3,
  steps_succeeded: 3,
  reports: 3,
  gates: 14,
  gates_known: 14,
  gates_open: [],
  debts: 0,
  history: 20,
  history_span: 20,
  release_audited: 1,
};

it("takes a complete record", () => {
  expect(gaps(complete)).toEqual([]);
  expect(() => assertComplete([complete], 1)).not.toThrow();
});

it.each<Partial<HostRecord>>([
  { state: "Failed/NVMECleanFailed" },
  { allocatable: false },
  { instance_ended: false },
  { reclamations: 2 },
  { outcome: null },
  { ended: false },
  { outcome: "abandoned" },
  { expected: 0, sanitized: 0 },
  { sanitized: 3 },
  { steps_succeeded: 2 },
  { steps: 0, steps_succeeded: 0, reports: 0 },
  { reports: 2 },
  { gates: 13 },
  { gates: 0, gates_known: 0 },
  { gates_open: ["storageSanitized unsatisfied"] },
  { debts: 1 },
  { history: 19 },
  { release_audited: 0 },
])("refuses one with %j", (change) => {
  expect(gaps({ ...complete, ...change })).toHaveLength(1);
  expect(() => assertComplete([complete, { ...complete, ...change }], 2)).toThrow("no figures");
});

it("refuses when a host has no record at all", () => {
  expect(() => assertComplete([complete], 2)).toThrow("1 of 2 records");
});
