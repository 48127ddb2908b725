// The conditions that must be proven before a host is Ready (docs/design/lifecycle.md#gates).

export const gateNames = [
  "instanceReleased",
  "tenantNetworkReleased",
  "adminNetworkSynced",
  "extensionServicesTerminated",
  "cleanupCompleted",
  "storageSanitized",
  "memoryOverwritten",
  "infinibandClean",
  "platformAtBaseline",
  "attestationPassed",
  "inventoryMatches",
  "validationPassed",
  "healthy",
  "assuranceSigned",
] as const;
export type GateName = (typeof gateNames)[number];

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

/** What each gate requires, as text for people. */
export const gateMeaning = {
  instanceReleased: "No instance is on the host",
  tenantNetworkReleased: "Every interface acknowledged that it left the tenant's network",
  adminNetworkSynced: "Every DPU and network interface acknowledged the admin network",
  extensionServicesTerminated: "None of the tenant's extension services remains",
  cleanupCompleted: "Every planned step succeeded",
  storageSanitized:
    "Every known storage device has a verified result at or above the policy's level, and its content in the final boot is unchanged since its erase",
  memoryOverwritten: "Memory overwrite was requested, and a restart followed",
  infinibandClean: "InfiniBand devices were reset",
  platformAtBaseline: "TPM, BIOS, BMC and firmware are at their baseline",
  attestationPassed: "Measured boot matched an approved bundle",
  inventoryMatches: "The inventory matches the SKU",
  validationPassed: "The site's tests passed",
  healthy: "No alert or maintenance keeps the host out of allocation",
  assuranceSigned: "Every required procedure is recorded and signed off",
} satisfies Record<GateName, string>;

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
