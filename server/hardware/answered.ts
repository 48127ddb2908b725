// Whether a BMC itself declined something, and how, or whether it was only not reached.
import type { HardwareError } from "@/server/hardware/interfaces";

/** 502, 503 and 504: the BMC is not up, or not yet. 401: nobody is signed in. */
const passing: ReadonlySet<number> = new Set([401, 502, 503, 504]);

/** True when the BMC answered that it has no such thing, or that it does not do it. Not for what was never sent: no permit, no credential, no address. */
export function wasDeclined({ kind, status }: Pick<HardwareError, "kind" | "status">): boolean {
  return kind === "unsupported" || kind === "rejected" || (status != null && !passing.has(status));
}
