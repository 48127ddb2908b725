// When what was erased counts no more: something ran on the host, between its first erase and its end, that was not our agent
// (docs/adr/0020-a-boot-is-proven.md).
import { z } from "zod";
import type { GateName } from "@/server/domain/gates/gate-names";

/**
 * - `personPower`: a person switched or restarted the host. `bootWithoutAgent`: a boot that we ordered led to no registration.
 * - `unorderedBoot`: the host asked for a boot that nobody had ordered. `unorderedReset`: its BMC tells of a reset that nobody had ordered.
 * - `contestedBoot`: an agent of this plan was not alone in its boot.
 */
export const voidReasons = [
  "personPower",
  "bootWithoutAgent",
  "unorderedBoot",
  "unorderedReset",
  "contestedBoot",
] as const;
export type VoidReason = (typeof voidReasons)[number];

export const voidedErase = z.strictObject({
  reason: z.enum(voidReasons),
  message: z.string(),
  at: z.iso.datetime(),
});
export type VoidedErase = z.infer<typeof voidedErase>;

/** How often one reclamation begins its erases again by itself. */
export const maxVoided = 3;

interface PlannedErase {
  readonly proves: readonly GateName[];
  readonly attempt: number;
}

/** Whether an erase of this plan has begun: from then on the host runs nothing but our agent until it is Ready. */
export const eraseBegan = (steps: readonly PlannedErase[]): boolean =>
  steps.some(({ proves, attempt }) => attempt > 0 && proves.includes("storageSanitized"));
