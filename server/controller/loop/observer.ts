// What the controller reports to metrics and logs, without knowing either.
import type { Decided } from "@/server/controller/loop/commit-rows";
import type { EffectKind } from "@/server/domain/hosts/record/effect";

export interface ControllerObserver {
  /** A handler began `lateMs` after its host was due. */
  handled(lateMs: number): void;
  /** One round of the loop: hosts claimed and written, and its time in ms. */
  pass(pass: { readonly claimed: number; readonly written: number; readonly ms: number }): void;
  /** A commit statement was written, or the database refused it. */
  commit(result: "written" | "refused"): void;
  /** A decision was written. */
  written(item: Decided): void;
  effect(effect: {
    readonly kind: EffectKind;
    readonly hostId: string;
    readonly status: "done" | "failed" | "unknown";
    readonly ms: number;
    readonly message: string | null;
  }): void;
  /** The fence was lost, or evidence moved: the decision was dropped. */
  lostFence(hostId: string): void;
  error(message: string, error: unknown): void;
}

export const silentObserver: ControllerObserver = {
  handled: () => undefined,
  pass: () => undefined,
  commit: () => undefined,
  written: () => undefined,
  effect: () => undefined,
  lostFence: () => undefined,
  error: () => undefined,
};
