// When erases no longer count: between its first erase and its end, something other than our agent ran on the host
// (docs/adr/0020-a-boot-is-proven.md).
import { z } from "zod";
import type { GateName } from "@/server/domain/reclamations/gates/gate-names";

/**
 * - `personPower`: a person powered or restarted the host. `bootWithoutAgent`: a boot that Reclaim ordered led to no registration.
 * - `unorderedBoot`: something in the provisioning network requested a boot that nobody ordered, and whether the host restarted could not be read.
 * - `unorderedReset`: its BMC, or the silence of its agent after such a request, shows a reset that nobody ordered.
 * - `contestedBoot`: an agent of this plan was not alone in its boot.
 * - `bundleRevoked`: the bundle that its agent's boot was measured by is not trusted any more, so neither is what the agent said.
 */
export const voidReasons = [
  "personPower",
  "bootWithoutAgent",
  "unorderedBoot",
  "unorderedReset",
  "contestedBoot",
  "bundleRevoked",
] as const;
export type VoidReason = (typeof voidReasons)[number];

export const voidedErase = z.strictObject({
  reason: z.enum(voidReasons),
  message: z.string(),
  at: z.iso.datetime(),
});
export type VoidedErase = z.infer<typeof voidedErase>;

/** How often a reclamation restarts its erases automatically. */
export const maxVoided = 3;

interface PlannedErase {
  readonly proves: readonly GateName[];
  readonly attempt: number;
}

/** Whether an erase of this plan has begun. From then on the host must run nothing but our agent until it is Ready. */
export const eraseBegan = (steps: readonly PlannedErase[]): boolean =>
  steps.some(({ proves, attempt }) => attempt > 0 && proves.includes("storageSanitized"));
