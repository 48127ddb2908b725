// What a host leaves behind when it leaves the fleet, line by line.
import { z } from "zod";
import { leftoverKinds, leftoverOutcomes } from "@/server/domain/hosts/decommission/leftovers";
import { record } from "@/server/contract/define";

/** `decommissioned`: its certificate says what is proven. `deleted`: nothing was proven. */
export const goneWays = ["decommissioned", "deleted"] as const;
/** `fake`: a record without a machine, so there was nothing to prove (docs/adr/0015-fake-hardware.md). */
export const shownGoneWays = [...goneWays, "fake"] as const;

export const leftoverLine = record({
  /** Identifies the leftover when it is accepted. */
  key: z.string(),
  kind: z.enum(leftoverKinds),
  what: z.string(),
  outcome: z.enum(leftoverOutcomes),
  message: z.string().nullable(),
  accepted: record({ by: z.string(), reason: z.string(), at: z.string() }).nullable(),
});
export type LeftoverLine = z.infer<typeof leftoverLine>;
