// What to do while an erase may be running that no agent reports on: leave the host on.
import { hostActions } from "@/server/domain/hosts/host-actions";
import type { StoredState } from "@/server/domain/lifecycle/states";

/** @param until a time, as text. Pure. */
export const eraseAdvice = (until: string): string =>
  `An erase may still be running, until ${until} at the latest, so leave the host on.`;

/** The same for a host that waits for it before it boots the agent. Pure. */
export const eraseWaitAdvice = (until: string): string =>
  `${eraseAdvice(until)} Reclaim boots the agent when a drive's erase is over or that time has passed. If you know that no drive is erasing, use ${hostActions.skipEraseWait.words}.`;

/** States in which a restart of the host is ordered, and waits for such an erase. */
const bootsAgent: ReadonlySet<StoredState> = new Set<StoredState>([
  "Assigned/BootingWithDiscoveryImage",
  "WaitingForCleanup/BootingAgent",
  "ManualCleaning/BootingAgent",
  "BomValidating/BootingAgent",
  "Validation/RebootHost",
]);

/** Pure. */
export const waitsForErase = (state: StoredState): boolean => bootsAgent.has(state);
