// Which part of a machine a ticket is about (docs/repair.md#tickets).
import type { issueCategories } from "@/server/domain/repair/health-issue";

export const ticketCategories = [
  "unspecified",
  "gpu",
  "cpu",
  "memory",
  "drive",
  "networkCard",
  "dpu",
  "interconnect",
  "cable",
  "fan",
  "cooling",
  "powerSupply",
  "mainboard",
  "bmc",
  "firmware",
  "tpm",
  "chassis",
  "rack",
  "network",
  "performance",
  "other",
] as const;
export type TicketCategory = (typeof ticketCategories)[number];

export const categoryLabels = {
  unspecified: "not known yet",
  gpu: "GPU",
  cpu: "CPU",
  memory: "memory",
  drive: "drive",
  networkCard: "network card",
  dpu: "DPU",
  interconnect: "interconnect",
  cable: "cable or transceiver",
  fan: "fan",
  cooling: "cooling",
  powerSupply: "power supply",
  mainboard: "mainboard",
  bmc: "BMC",
  firmware: "firmware",
  tpm: "TPM",
  chassis: "chassis",
  rack: "rack",
  network: "network",
  performance: "performance",
  other: "other",
} satisfies Record<TicketCategory, string>;

/** Which part of a machine the category of a health issue refers to. `Hardware` from a tenant names no part. */
export const categoryOfIssue = {
  Hardware: "unspecified",
  Network: "network",
  Performance: "performance",
  Storage: "drive",
  Software: "other",
  Other: "other",
} as const satisfies Record<(typeof issueCategories)[number], TicketCategory>;

/** What was done about the problem. */
export const ticketActions = [
  "none",
  "diagnosed",
  "reset",
  "reseated",
  "replacedPart",
  "replacedCable",
  "firmwareUpdated",
  "configurationChanged",
  "replacedNode",
  "noFaultFound",
  "retired",
] as const;
export type TicketAction = (typeof ticketActions)[number];

export const actionLabels = {
  none: "nothing yet",
  diagnosed: "looked at",
  reset: "reset or power-cycled",
  reseated: "part reseated",
  replacedPart: "part replaced",
  replacedCable: "cable replaced",
  firmwareUpdated: "firmware updated",
  configurationChanged: "configuration changed",
  replacedNode: "machine replaced",
  noFaultFound: "no fault found",
  retired: "retired",
} satisfies Record<TicketAction, string>;
