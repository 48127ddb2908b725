// When the gate `platformAtBaseline` is satisfied and when it is not.
import { allRequired } from "@/server/domain/cleaning/policy/policy";
import { judgePlatform } from "@/server/domain/hosts/platform/judge";
import type { PlatformBaseline } from "@/server/domain/hosts/inventory/platform";
import type { PlatformReading } from "@/server/domain/hosts/platform/reading";
import type { GateEvidenceInput } from "@/server/domain/reclamations/gates/gate-rule";
import {
  type GateCase,
  clean,
  good,
  off,
  recheck,
  run,
  skipped,
} from "@/server/domain/reclamations/gates/testing/evidence";

const gate = "platformAtBaseline" as const;
const bios: PlatformBaseline = { bios: { Sriov: "Enabled" } };

/** The host as it was read, for a SKU with that baseline. */
const read = (
  changes: Partial<PlatformReading>,
  baseline: PlatformBaseline = {},
): Pick<GateEvidenceInput, "baseline" | "platform"> => ({
  baseline,
  platform: {
    ...{ epoch: 2, readAt: "2026-11-29T12:00:00.000Z", sku: "S", tpm: "none" as const },
    items: judgePlatform(baseline, { ...clean, ...changes }),
  },
});
const withTpm = { ...read({}), agentTpm: null };
const clear = run("clear_tpm", [gate]);
const clearedBefore = {
  ...{ name: "TPM", wanted: "cleared", found: "cleared by deploy.clear_tpm", named: false },
  verdict: "same" as const,
};
const without = { ...allRequired, platformAtBaseline: false };

export const platformCases: readonly GateCase[] = [
  [gate, "satisfied", "nobody left anything and there is no TPM", {}],
  [gate, "satisfied", "the TPM was cleared in this plan", { ...withTpm, plan: [...good.plan, clear] }],
  [
    gate,
    "unsatisfied",
    "the step that clears the TPM did not succeed",
    { ...withTpm, plan: [...good.plan, { ...clear, status: "excepted" }] },
  ],
  [gate, "unsatisfied", "the BMC lists no TPM and the agent does not say", withTpm],
  [
    gate,
    "unsatisfied",
    "the agent finds no TPM and the BMC lists one",
    { platform: good.platform && { ...good.platform, tpm: "there" as const } },
  ],
  [
    gate,
    "unsatisfied",
    "whether the BMC lists a TPM could not be read",
    { platform: good.platform && { ...good.platform, tpm: "unknown" as const } },
  ],
  [gate, "unsatisfied", "a recheck does not know what became of the TPM", { ...recheck, ...withTpm }],
  [
    gate,
    "satisfied",
    "a recheck brings along that the TPM was cleared",
    {
      ...recheck,
      ...withTpm,
      platform: withTpm.platform && {
        ...withTpm.platform,
        items: [...withTpm.platform.items, clearedBefore],
      },
    },
  ],
  [
    gate,
    "unsatisfied",
    "a recheck brings along that the TPM was not cleared",
    {
      ...recheck,
      ...withTpm,
      platform: withTpm.platform && {
        ...withTpm.platform,
        items: [...withTpm.platform.items, { ...clearedBefore, verdict: "unknown" }],
      },
    },
  ],
  [
    gate,
    "unsatisfied",
    "the drives were read again without the platform",
    { proven: { ...good.proven, outOfBand: { epoch: 2, readAt: "2026-11-29T13:00:00.000Z", drives: [] } } },
  ],
  [
    gate,
    "unsatisfied",
    "a step for firmware is disabled, and the TPM was not cleared",
    { ...withTpm, disabled: [off("verify_baseline", [gate])], debts: 0 },
  ],
  [
    gate,
    "unsatisfied",
    "a recheck finds an account",
    { ...recheck, ...read({ accounts: { value: ["eve"] } }) },
  ],
  [gate, "unsatisfied", "the SKU has no baseline", { baseline: null }],
  [gate, "unsatisfied", "the platform was not read", { platform: null }],
  [
    gate,
    "unsatisfied",
    "the platform was read before the last step",
    { platform: good.platform && { ...good.platform, epoch: 1 } },
  ],
  [gate, "satisfied", "a BIOS attribute is as named", read({ bios: { value: { Sriov: "Enabled" } } }, bios)],
  [
    gate,
    "unsatisfied",
    "a BIOS attribute is another",
    read({ bios: { value: { Sriov: "Disabled" } } }, bios),
  ],
  [gate, "unsatisfied", "a BIOS attribute is gone", read({ bios: { value: {} } }, bios)],
  [gate, "unsatisfied", "the BMC shows no BIOS attributes", read({ bios: { absent: "none" } }, bios)],
  [
    gate,
    "unsatisfied",
    "the baseline was changed after the reading",
    { ...read({ bios: { value: { Sriov: "Enabled" } } }, bios), baseline: { bios: { Sriov: "Disabled" } } },
  ],
  [
    gate,
    "unsatisfied",
    "the baseline names more than was read",
    { ...read({}), baseline: { lockdown: true } },
  ],
  [gate, "unsatisfied", "a part could not be read", read({ media: { unknown: "answered 503" } })],
  [gate, "unsatisfied", "the BMC does not list its accounts", read({ accounts: { absent: "none" } })],
  [
    gate,
    "unsatisfied",
    "a step for it is disabled and something is owed",
    { disabled: [off("clear_tpm", [gate])] },
  ],
  [
    gate,
    "waived",
    "a step for it is disabled and nothing is owed",
    { ...withTpm, disabled: [off("clear_tpm", [gate])], debts: 0 },
  ],
  [
    gate,
    "unsatisfied",
    "a step for it is disabled, nothing is owed, and an account was left",
    { ...read({ accounts: { value: ["eve"] } }), disabled: [off("clear_tpm", [gate])], debts: 0 },
  ],
  [gate, "waived", "cleaning is off", { ...skipped, debts: 0 }],
  [gate, "waived", "the site does without it", { requires: without }],
  [
    gate,
    "unsatisfied",
    "the site does without it, a step for it is disabled, and something is owed",
    { requires: without, disabled: [off("clear_tpm", [gate])] },
  ],
];
