// Hosts that have left the fleet, and what they left behind (docs/decommission.md).
import { z } from "zod";
import { reclamationHead } from "@/server/contract/hosts/hosts-answers";
import { shownGoneWays, leftoverLine } from "@/server/contract/hosts/leftovers";
import { list, record } from "@/server/contract/define";

const goneRow = {
  /** Id of this record. */
  id: z.string(),
  /** The id it had as a host. */
  hostId: z.string(),
  name: z.string(),
  serial: z.string().nullable(),
  manufacturer: z.string().nullable(),
  model: z.string().nullable(),
  site: z.string(),
  rack: z.string().nullable(),
  slot: z.string().nullable(),
  /** `decommissioned`: its certificate says what is proven. `deleted`: nothing was proven. `fake`: a record without a machine. */
  how: z.enum(shownGoneWays),
  reason: z.string().nullable(),
  byName: z.string().nullable(),
  goneAt: z.date(),
};

export const goneHost = record(goneRow);
export type GoneHost = z.infer<typeof goneHost>;

export const goneList = record({
  rows: list(goneHost),
  total: z.number(),
  nextCursor: z.string().nullable(),
});
export type GoneList = z.infer<typeof goneList>;

export const goneDetail = record({
  ...goneRow,
  systemUuid: z.string().nullable(),
  hardwareType: z.string(),
  sku: z.string().nullable(),
  bmcAddress: z.string().nullable(),
  macs: list(z.string()),
  enrolledAt: z.date(),
  leftovers: list(leftoverLine),
  /** Newest first. */
  reclamations: list(reclamationHead),
  /** The reclamation that it left with; null if it never had one. */
  reclamationId: z.string().nullable(),
  /** How many sanitizations its chassis still owes. */
  debts: z.number(),
  /** A known host with the same serial number: the machine came back. */
  returnedAs: z.string().nullable(),
});
export type GoneDetail = z.infer<typeof goneDetail>;
