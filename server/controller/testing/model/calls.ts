// Permit, settle and the end of leases in the model: what the statements in `db/hot/hardware/effects.ts` and `db/hot/fleet/lease.ts` do, on the
// model's tables.
import type { MarkReading } from "@/server/domain/hosts/reset-mark";
import { must } from "@/server/controller/testing/model/violation";
import type { EffectRow, RunRow } from "@/server/controller/testing/model/tables";
import { provenRestart } from "@/server/controller/testing/model/world";
import type { World } from "@/server/controller/testing/model/world";

/** Time limit of an effect; a permit extends the lease by this and 15 s (`permitEffects`). */
export const effectMs = 45_000;

/** The permit right before a request. */
export function permit(
  world: World,
  controller: string,
  hostId: string,
  effect: EffectRow,
  power: boolean,
  phase: string,
  before: MarkReading,
): boolean {
  const host = world.host;
  if (host === null || host.run.hostId !== hostId) return false;
  const { run } = host;
  if (
    run.generation !== effect.generation ||
    run.leaseOwner !== controller ||
    run.leaseUntilMs <= world.nowMs
  )
    return false;
  must(!run.outsideLease, "nothing is sent to a host that a repair system has");
  const askedFor =
    (run.context.cleaning.job?.restartEpoch ?? Infinity) <= Number(effect.request["bootEpoch"] ?? NaN);
  if (
    power &&
    ((run.erasing && !mayResetInto(run, effect)) ||
      host.steps.some(
        ({ view }) =>
          view.status === "running" &&
          !(view.where === "controller" && (askedFor || (view.step === "hold" && effect.kind === "power"))),
      ))
  )
    return false;
  run.leaseUntilMs = Math.max(run.leaseUntilMs, world.nowMs + effectMs + 15_000);
  effect.status = "permitted";
  effect.phase = phase;
  const restarts = phase === "reset" && effect.kind === "bootAgent";
  effect.before = restarts ? before : null;
  if (restarts) world.machine.resetsBefore = world.machine.resets;
  return true;
}

/** The boot on record allows this reset while an erase runs. */
const mayResetInto = ({ context: { boot } }: RunRow, { request }: EffectRow): boolean =>
  request["resetOnly"] === true && boot?.resetOnly === true && boot.epoch === request["bootEpoch"];

export interface Settled {
  readonly status: "done" | "failed" | "unknown";
  readonly value?: unknown;
  readonly error?: { kind: string; message: string };
}

/** Stores an outcome; if its lease was lost, changes nothing. */
export function settle(
  world: World,
  controller: string,
  hostId: string,
  effect: EffectRow,
  outcome: Settled,
  last: boolean,
): void {
  const host = world.host;
  if (host === null || host.run.hostId !== hostId) return;
  const { run } = host;
  if (run.generation !== effect.generation || run.leaseOwner !== controller) return;
  if (last) run.leaseOwner = null;
  run.dueAtMs = Math.min(
    run.dueAtMs ?? Infinity,
    world.nowMs + (outcome.status === "done" ? effect.quietMs : 0),
  );
  if (effect.settledAtMs !== null) return;
  if (effect.kind === "bootAgent" && outcome.status === "done")
    provenRestart(world, host, Number(effect.request["bootEpoch"]));
  Object.assign(effect, {
    status: outcome.status,
    value: outcome.value,
    error: outcome.error ?? null,
    settledAtMs: world.nowMs,
  });
}

/** The periodic work: ends leases that ran out, and (`takeOverDead`) those of dead controllers. */
export function sweep(world: World, dead: ReadonlySet<string>): void {
  const run = world.host?.run;
  if (run === undefined || run.leaseOwner === null) return;
  if (run.leaseUntilMs < world.nowMs || dead.has(run.leaseOwner))
    Object.assign(run, { leaseOwner: null, dueAtMs: world.nowMs });
}
