// What an exception may cover. Browsers load this too, to verify certificates.
import type { GateName } from "@/server/domain/gates/gate-names";

/** What an exception may cover, per gate: never, single drives, or the whole gate. */
export const exceptionScope = {
  instanceReleased: "never",
  tenantNetworkReleased: "never",
  adminNetworkSynced: "never",
  extensionServicesTerminated: "never",
  cleanupCompleted: "whole",
  storageSanitized: "device",
  memoryOverwritten: "whole",
  infinibandClean: "whole",
  platformAtBaseline: "whole",
  attestationPassed: "whole",
  // A host that differs from its SKU or fails a test stops before its gates are evaluated.
  inventoryMatches: "never",
  validationPassed: "never",
  healthy: "never",
  assuranceSigned: "whole",
} as const satisfies Record<GateName, "never" | "device" | "whole">;
