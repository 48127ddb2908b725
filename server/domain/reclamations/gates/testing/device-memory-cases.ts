// When the gate `deviceMemoryCleared` is satisfied and when it is not.
import {
  testFacts,
  testProcedure,
  testRecord,
} from "@/server/domain/assurance/procedures/testing/procedures";
import { allRequired } from "@/server/domain/cleaning/policy/policy";
import type { ClearedDevice } from "@/server/domain/hosts/device-memory/device-memory";
import type { GateEvidenceInput } from "@/server/domain/reclamations/gates/gate-rule";
import {
  type GateCase,
  good,
  gpu,
  off,
  proven,
  recheck,
  skipped,
} from "@/server/domain/reclamations/gates/testing/evidence";

const gate = "deviceMemoryCleared" as const;
const without = { ...allRequired, deviceMemoryCleared: false };
const at = "2026-11-29T11:00:00.000Z";
const stepRunId = "clear_device_memory";

const done: ClearedDevice = { ...gpu, cleared: true, canary: "absent", said: "clear" };
const result = (change: Partial<ClearedDevice>): Partial<GateEvidenceInput> =>
  proven({ memoryCleared: { stepRunId: "clear_device_memory", at, devices: [{ ...done, ...change }] } });
const kept = result({ canary: "present" });
const notDone = result({ cleared: false, canary: "none", said: "the image has no program" });
const found = (change: Partial<NonNullable<GateEvidenceInput["proven"]["memoryDevices"]>>) =>
  proven({ memoryDevices: { epoch: 2, why: null, devices: [gpu], ...change } });

const unread = found({ why: "lspci broke", devices: [] });
const none = proven({
  memoryDevices: { epoch: 2, why: null, devices: [] },
  memoryCleared: { stepRunId, at, devices: [] },
});
const nvswitch = { kind: "nvswitch", slot: "0000:05:00.0", model: "NVSwitch" } as const;
const reset = { cleared: true, canary: "none", said: "reset" } as const;

const drain = (recordedAt: string, afterErase = true): Partial<GateEvidenceInput> => ({
  procedures: [testProcedure()],
  assurance: testFacts([testRecord({ afterErase, recordedAtMs: Date.parse(recordedAt) })]),
});
const later = "2026-11-29T12:00:00.000Z";
const earlier = "2026-11-29T10:00:00.000Z";

export const deviceMemoryCases: readonly GateCase[] = [
  [gate, "satisfied", "its GPU is cleared, and the canaries are gone", {}],
  [gate, "unsatisfied", "its GPU reports it, but no canary could be written", result({ canary: "none" })],
  [
    gate,
    "unsatisfied",
    "its GPU reports it, but it cannot be read afterwards",
    result({ canary: "unreadable" }),
  ],
  [
    gate,
    "satisfied",
    "its switch was reset by its bus",
    {
      ...proven({
        memoryDevices: { epoch: 2, why: null, devices: [nvswitch] },
        memoryCleared: { stepRunId, at, devices: [{ ...nvswitch, ...reset }] },
      }),
    },
  ],
  [
    gate,
    "unsatisfied",
    "a GPU that kept its content is not listed any more",
    proven({
      memoryDevices: { epoch: 2, why: null, devices: [] },
      memoryCleared: { stepRunId, at, devices: [{ ...done, canary: "present" }] },
    }),
  ],
  [
    gate,
    "unsatisfied",
    "a GPU that was not cleared is not listed any more",
    proven({
      memoryDevices: { epoch: 2, why: null, devices: [] },
      memoryCleared: { stepRunId, at, devices: [{ ...done, cleared: false }] },
    }),
  ],
  [gate, "unsatisfied", "another card was in the slot", result({ serial: "another" })],
  [
    gate,
    "unsatisfied",
    "of two results for one slot the worse counts",
    proven({ memoryCleared: { stepRunId, at, devices: [done, { ...done, cleared: false }] } }),
  ],
  [gate, "unsatisfied", "a canary is still there", kept],
  [
    gate,
    "unsatisfied",
    "a canary is still there, and no policy lets it pass",
    { ...kept, requires: without },
  ],
  [gate, "unsatisfied", "its GPU was not cleared", notDone],
  [
    gate,
    "waived",
    "its GPU was not cleared, and the policy does without it",
    { ...notDone, requires: without },
  ],
  [gate, "satisfied", "it is cleared where the policy does without it, too", { requires: without }],
  [
    gate,
    "unsatisfied",
    "the step reported nothing of its GPU",
    proven({ memoryCleared: { stepRunId: "clear_device_memory", at, devices: [] } }),
  ],
  [gate, "unsatisfied", "the step is of an earlier plan", { plan: good.plan.slice(0, 3) }],
  [
    gate,
    "unsatisfied",
    "another GPU is there in the last boot",
    found({ devices: [gpu, { ...gpu, slot: "0000:18:00.0" }] }),
  ],
  [gate, "not required", "it has no such device", none],
  [gate, "unsatisfied", "whether it has any could not be read", unread],
  [
    gate,
    "waived",
    "whether it has any could not be read, and the policy does without it",
    { ...unread, requires: without },
  ],
  [gate, "satisfied", "its power was drained where nothing could be read", { ...unread, ...drain(later) }],
  [gate, "unsatisfied", "whether it has any was not read in the last boot", found({ epoch: 1, devices: [] })],
  [
    gate,
    "unsatisfied",
    "the last boot is not proven",
    { ...found({ devices: [] }), boot: { bootEpoch: 2, afterReset: false, contested: false } },
  ],
  [gate, "satisfied", "its power was drained after the step", { ...notDone, ...drain(later) }],
  [gate, "satisfied", "its power was drained after content was found", { ...kept, ...drain(later) }],
  [gate, "unsatisfied", "its power was drained before content was found", { ...kept, ...drain(earlier) }],
  [gate, "unsatisfied", "its power was drained before the erase", { ...notDone, ...drain(later, false) }],
  [gate, "not required", "a recheck cleans nothing", recheck],
  [
    gate,
    "unsatisfied",
    "a GPU came since the last cleaning, which a recheck does not clear",
    { ...found({ changed: true }), ...recheck, plan: [] },
  ],
  [gate, "waived", "cleaning is off", { ...skipped, debts: 0 }],
  [
    gate,
    "waived",
    "the step is disabled, and the host owes nothing",
    { disabled: [off("clear_device_memory", [gate])], plan: good.plan.slice(0, 3), debts: 0 },
  ],
  [
    gate,
    "unsatisfied",
    "the step is disabled, and the host owes a sanitization",
    { disabled: [off("clear_device_memory", [gate])], plan: good.plan.slice(0, 3) },
  ],
];
