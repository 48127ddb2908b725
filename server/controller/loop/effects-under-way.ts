// The effects of this process that have not ended. Each is performed once, outside any transaction, and ends whatever happens
// (docs/adr/0005-effects-with-phases.md).
import { effectTargets } from "@/server/db/hot/hardware/targets";
import type { TargetRow } from "@/server/db/hot/hardware/targets";
import type { Decided } from "@/server/controller/loop/commit-rows";
import type { ControllerDependencies } from "@/server/controller/loop/controller-options";
import type { EffectRequest } from "@/server/controller/host/decision";
import { heldMs, isHeldBack, performEffect } from "@/server/controller/effects/effect-runner";
import type { EffectOutcome } from "@/server/controller/effects/bmc-calls";
import type { EffectLimits } from "@/server/controller/effects/effect-runner";
import { PermitBatcher } from "@/server/controller/effects/permit-batcher";
import { Settler } from "@/server/controller/loop/settler";

interface Lease {
  readonly hostId: string;
  readonly generation: string;
}

const keyOf = ({ hostId, generation }: Lease): string => `${hostId} ${generation}`;

/** An unknown outcome without a permit for any request means that nothing was sent (`readOutcome`). */
const neverSent: EffectOutcome = {
  status: "unknown",
  value: null,
  error: { kind: "failed", message: "the database could not be asked where to send it" },
};

export class EffectsUnderWay {
  /** How many have not ended, per lease. */
  readonly #open = new Map<string, number>();
  readonly #permits: PermitBatcher;
  readonly settler: Settler;

  readonly #dependencies: ControllerDependencies;
  readonly #limits: EffectLimits;
  readonly #on: {
    readonly ended: () => void;
    readonly failed: (what: string, error: unknown) => void;
  };

  /** `ended` is called when an outcome waits in the settler. */
  constructor(
    dependencies: ControllerDependencies,
    controllerId: string,
    limits: EffectLimits,
    on: {
      readonly ended: () => void;
      readonly failed: (what: string, error: unknown) => void;
    },
  ) {
    this.#dependencies = dependencies;
    this.#limits = limits;
    this.#on = on;

    this.#permits = new PermitBatcher(dependencies.pool, controllerId);
    this.settler = new Settler(dependencies.pool, controllerId, dependencies.observer);
  }

  /** Number of hosts with an effect in progress. */
  get hosts(): number {
    return this.#open.size;
  }

  /** Starts the effects of decisions that were just written. Never throws: an effect that cannot start ends. */
  async begin(written: readonly Decided[]): Promise<void> {
    const withEffects = written.filter(({ decision }) => decision.effects.length > 0);
    if (withEffects.length === 0) return;
    const targets = await this.#targetsOf(withEffects.map(({ view }) => view.run.hostId));
    for (const {
      view: {
        run: { hostId, generation },
      },
      decision: { effects },
    } of withEffects) {
      const lease = { hostId, generation };
      this.#open.set(keyOf(lease), effects.length);
      if (targets === null) for (const effect of effects) this.#end(lease, effect, neverSent);
      else void this.#runAll(lease, effects, targets.get(hostId));
    }
  }

  /** In sequence: what must be read before a restart must not be read while the machine starts (docs/adr/0019). */
  async #runAll(
    lease: Lease,
    effects: readonly EffectRequest[],
    target: TargetRow | undefined,
  ): Promise<void> {
    for (const effect of effects) await this.#run(lease, effect, target);
  }

  /** Null: the database could not be asked. */
  async #targetsOf(hostIds: readonly string[]): Promise<ReadonlyMap<string, TargetRow> | null> {
    try {
      return await effectTargets(this.#dependencies.pool, hostIds);
    } catch (error) {
      this.#on.failed("the targets of effects could not be read", error);
      return null;
    }
  }

  async #run(lease: Lease, effect: EffectRequest, target: TargetRow | undefined): Promise<void> {
    const began = performance.now();
    const result = await performEffect(this.#dependencies, {
      permits: this.#permits,
      fence: { ...lease, effectId: effect.id },
      effect,
      target,
      limits: this.#limits,
    });
    this.#dependencies.observer.effect({
      kind: effect.kind,
      hostId: lease.hostId,
      status: result.status,
      ms: performance.now() - began,
      message: result.error?.message ?? null,
    });
    this.#end(lease, effect, result);
  }

  #end(lease: Lease, effect: EffectRequest, result: EffectOutcome): void {
    const left = (this.#open.get(keyOf(lease)) ?? 1) - 1;
    if (left === 0) this.#open.delete(keyOf(lease));
    else this.#open.set(keyOf(lease), left);
    this.settler.add({
      ...lease,
      effectId: effect.id,
      ...result,
      last: left === 0,
      quietMs: result.status === "done" ? effect.quietMs : isHeldBack(result) ? heldMs : 0,
    });
    this.#on.ended();
  }
}
