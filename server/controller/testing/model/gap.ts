// Gaps in the model: the database's clock is set, or nobody could be reached for a while. The next sign of listening moves what is waited for
// (`db/hot/fleet/listening.ts`).
import { advance } from "@/server/controller/testing/model/machine";
import type { World } from "@/server/controller/testing/model/world";
import type { RunContext } from "@/server/domain/lifecycle/context";

const freshMs = 60_000;

/** The database's clock moves forward or back; what the drives do takes as long as before. */
export function setClock(world: World, ms: number): void {
  world.nowMs += ms;
  for (const drive of world.machine.drives)
    if (drive.erasing !== null) drive.erasing = { ...drive.erasing, untilMs: drive.erasing.untilMs + ms };
  sign(world, ms);
  world.seen.add(ms < 0 ? "clock set back" : "clock set forward");
}

/** No server or no database for a while; the drives go on. */
export function outage(world: World, ms: number): void {
  advance(world, ms);
  sign(world, ms);
  world.seen.add("outage");
}

const moved = (time: string, gap: number): string => new Date(Date.parse(time) + gap).toISOString();
const movedOrNull = (time: string | null, gap: number): string | null =>
  time === null ? null : moved(time, gap);

function movedContext(context: RunContext, gap: number): RunContext {
  const { boot, network, cleaning, eraseUntil } = context;
  const { hold, abort, job } = cleaning;
  return {
    ...context,
    eraseUntil: movedOrNull(eraseUntil, gap),
    boot:
      boot === null
        ? null
        : { ...boot, orderedAt: movedOrNull(boot.orderedAt, gap), retryAt: movedOrNull(boot.retryAt, gap) },
    network: network === null ? null : { ...network, retryAt: movedOrNull(network.retryAt, gap) },
    cleaning: {
      ...cleaning,
      hold: hold === null ? null : { ...hold, until: movedOrNull(hold.until, gap) },
      abort: abort === null ? null : { ...abort, at: moved(abort.at, gap) },
      job: job === null ? null : { ...job, lookAt: movedOrNull(job.lookAt, gap) },
    },
  };
}

function sign(world: World, gap: number): void {
  const untilMs = world.nowMs - gap;
  if (world.eraseLeftUntilMs !== null && world.eraseLeftUntilMs > untilMs) world.eraseLeftUntilMs += gap;
  const host = world.host;
  if (host === null) return;
  const { run } = host;
  run.context = movedContext(run.context, gap);
  if (run.erasing || run.state === "Validation/MachineValidating") run.stateSinceMs += gap;
  if (run.dueAtMs !== null) run.dueAtMs = Math.min(run.dueAtMs, world.nowMs);
  if (gap < 0 && run.leaseOwner !== null && !run.outsideLease)
    Object.assign(run, { leaseOwner: null, generation: run.generation + 1 });
  for (const row of host.steps) {
    const { view } = row;
    if (view.deadlineAtMs !== null && view.status !== "succeeded" && view.status !== "excepted")
      row.view = { ...view, deadlineAtMs: view.deadlineAtMs + gap };
  }
  for (const attempt of host.attempts) {
    const { ends, reportedAtMs, movedAtMs } = attempt.progress;
    attempt.progress = {
      ends: Object.fromEntries(
        Object.entries(ends).map(([serial, end]) => [serial, end === null ? null : end + gap]),
      ),
      reportedAtMs: reportedAtMs === null ? null : reportedAtMs + gap,
      movedAtMs: movedAtMs === null ? null : movedAtMs + gap,
    };
  }
  for (const session of host.sessions)
    session.lastSeenMs = session.lastSeenMs > untilMs - freshMs ? world.nowMs : session.lastSeenMs + gap;
  for (const window of host.windows) if (window.expiresMs > untilMs) window.expiresMs += gap;
  if (host.agentInventory !== null && host.agentInventory.collectedMs > world.nowMs)
    host.agentInventory = { ...host.agentInventory, collectedMs: world.nowMs };
}
