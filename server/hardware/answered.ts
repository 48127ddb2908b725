// Tells a BMC that declined a request from one that could not be reached.
import type { HardwareError } from "@/server/hardware/interfaces";

/** 502, 503 and 504: the BMC is not up, or not yet. 401: not signed in. */
const passing: ReadonlySet<number> = new Set([401, 502, 503, 504]);

/** True if the BMC answered that it does not have or do this. False for a request that was never sent: no permit, no credential, no address. */
export function wasDeclined({ kind, status }: Pick<HardwareError, "kind" | "status">): boolean {
  return kind === "unsupported" || kind === "rejected" || (status != null && !passing.has(status));
}
