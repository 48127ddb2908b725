// The conditions that must be proven before a host is Ready, and the statuses that each may have (docs/design/lifecycle.md#gates).

export const gateNames = [
  "instanceReleased",
  "tenantNetworkReleased",
  "adminNetworkSynced",
  "extensionServicesTerminated",
  "cleanupCompleted",
  "storageSanitized",
  "memoryOverwritten",
  "infinibandClean",
  "deviceMemoryCleared",
  "platformAtBaseline",
  "attestationPassed",
  "inventoryMatches",
  "validationPassed",
  "healthy",
  "assuranceSigned",
] as const;
export type GateName = (typeof gateNames)[number];

/**
 * Gates added after the first release, which earlier reclamations did not evaluate: absent, they count as not asked for, in a reclamation of any age. Its
 * record does not name the release that evaluated it. When the gate's migration was applied bounds nothing either: the release before may run beside this
 * one for as long as an upgrade takes (docs/adr/0024-rolling-upgrade.md). This release writes all gates in one decision, and the database refuses the
 * release before a Ready host whose agent lists a device with memory, or could not list any (`ready_memory_of_devices_is_judged`).
 */
export const laterGates: ReadonlySet<string> = new Set<GateName>(["deviceMemoryCleared"]);

/**
 * `not required`: does not apply to this hardware, or to this kind of reclamation. `waived`: applies, and the site's policy or an override left it out.
 * `not required: fake hardware`: nothing was proven, because there is no machine (`domain/fake/fake-type.ts`).
 */
export const gateStatuses = [
  "satisfied",
  "unsatisfied",
  "not required",
  "waived",
  "excepted",
  "not implemented",
  "not required: fake hardware",
] as const;
export type GateStatus = (typeof gateStatuses)[number];

/** A status in words. `not implemented` is stored of a gate whose check the site has not switched on, such as measured boot. */
export const gateStatusWords = (status: GateStatus | "open"): string =>
  status === "not implemented" ? "not checked" : status;

interface Gate {
  /** What it requires, as text for people. */
  readonly meaning: string;
  /** What an exception may cover: nothing, single drives, or the whole gate. */
  readonly exception: "never" | "device" | "whole";
  /** Said of the gate if it is satisfied; `about`: the same thing without a claim. */
  readonly holds: string;
  readonly about: string;
}

export const gateTable = {
  instanceReleased: {
    meaning: "No instance is on the host",
    exception: "never",
    holds: "No instance was left on the machine.",
    about: "The end of the instance",
  },
  tenantNetworkReleased: {
    meaning: "Every interface acknowledged that it left the tenant's network",
    exception: "never",
    holds: "The tenant's network let go of the machine before the first erase.",
    about: "The tenant's network letting go",
  },
  adminNetworkSynced: {
    meaning: "Every DPU and network interface acknowledged the admin network",
    exception: "never",
    holds: "Every network interface acknowledged the provider's network.",
    about: "The provider's network",
  },
  extensionServicesTerminated: {
    meaning: "None of the tenant's extension services remains",
    exception: "never",
    holds: "None of the tenant's extension services is left.",
    about: "The end of the tenant's extension services",
  },
  cleanupCompleted: {
    meaning: "Every planned step succeeded",
    exception: "whole",
    holds: "Every planned step succeeded.",
    about: "Running the planned steps",
  },
  storageSanitized: {
    meaning:
      "Every known storage device has a verified result at or above the policy's level, and its content in the final boot is unchanged since its erase",
    exception: "device",
    holds: "",
    about: "The erase of the drives",
  },
  memoryOverwritten: {
    meaning: "Memory overwrite was requested, and a restart followed",
    exception: "whole",
    holds: "Overwriting of memory was requested, and a restart followed.",
    about: "Overwriting of memory",
  },
  infinibandClean: {
    meaning: "InfiniBand devices were reset",
    exception: "whole",
    holds: "InfiniBand devices were reset.",
    about: "The reset of InfiniBand devices",
  },
  deviceMemoryCleared: {
    meaning: "The memory of every GPU was cleared, and every NVLink switch was reset",
    exception: "whole",
    holds: "The memory of its GPUs and the settings of its NVLink switches were cleared.",
    about: "The memory of GPUs",
  },
  platformAtBaseline: {
    meaning: "The TPM was cleared, and BIOS, BMC and firmware read as the SKU's baseline says",
    exception: "whole",
    holds:
      "The TPM was cleared or there is none, and BIOS, BMC and firmware read as the baseline of the machine's SKU says.",
    about: "The TPM, and the baseline of BIOS, BMC and firmware",
  },
  attestationPassed: {
    meaning: "Measured boot matched an approved bundle",
    exception: "whole",
    holds: "The machine measured its boot, and the values were approved ones.",
    about: "The measured boot",
  },
  inventoryMatches: {
    meaning: "The inventory matches the SKU",
    exception: "never",
    holds: "The machine has the parts that its SKU says.",
    about: "The check of the parts",
  },
  validationPassed: {
    meaning: "The site's tests passed",
    exception: "never",
    holds: "The site's tests passed.",
    about: "Running the site's tests",
  },
  healthy: {
    meaning: "No alert or maintenance keeps the host out of allocation",
    exception: "never",
    holds: "No alert and no maintenance held it back.",
    about: "The health check",
  },
  assuranceSigned: {
    meaning: "Every required procedure is recorded and signed off",
    exception: "whole",
    holds: "Every required procedure was recorded and signed off.",
    about: "The sign-off of procedures",
  },
} as const satisfies Record<GateName, Gate>;

/** Whether a gate with this status lets the host pass. `not implemented` passes only on a demo site, `not required: fake hardware` only on a fake host. */
export function passes(
  status: GateStatus,
  { demo, fake }: { readonly demo: boolean; readonly fake: boolean },
): boolean {
  switch (status) {
    case "satisfied":
    case "not required":
    case "waived":
    case "excepted":
      return true;
    case "not implemented":
      // safety: gates: not implemented passes on a demo site only (true)
      return demo;
    case "not required: fake hardware":
      // safety: gates: without a machine, for a fake host only (true)
      return fake;
    case "unsatisfied":
      // safety: gates: unsatisfied does not pass (true)
      return false;
  }
}

/** Reasons with which the release before said that something that applies was left out. The function `gate_is_waived` of the database has them, too. */
const leftOut = [
  /^automated cleaning off/,
  /disabled by .* override/,
  /^the site's policy does not require /,
] as const;

/** The status of a gate that an earlier release evaluated, in today's words; undefined: none that is known. Pure. */
export function statusAsOfNow(status: string, reason: string): GateStatus | undefined {
  const known = gateStatuses.find((each) => each === status);
  // safety: standing: what an earlier release left out is waived (never)
  return known === "not required" && leftOut.some((words) => words.test(reason)) ? "waived" : known;
}
