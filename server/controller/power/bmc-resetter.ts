// Restarts the BMCs that people asked to be restarted, once each, and follows them until they are back (docs/hardware.md#reset-bmc).
import { isDeepStrictEqual } from "node:util";
import type { Pool } from "pg";
import { openResets, type OpenReset } from "@/server/db/hot/fleet/bmc-resets";
import { effectTargets } from "@/server/db/hot/hardware/targets";
import type { TargetRow } from "@/server/db/hot/hardware/targets";
import {
  afterLook,
  busyWaitMs,
  heardAfter,
  lookWaitMs,
  nothingHeard,
  refusalsAfter,
  resetWaitMs,
} from "@/server/domain/hardware/bmc-reset";
import type { BmcResetLook, Heard } from "@/server/domain/hardware/bmc-reset";
import { storedJson } from "@/server/domain/json";
import { beginBmcReset, lookAtBmcReset } from "@/server/controller/effects/bmc-reset-calls";
import type { EffectDependencies } from "@/server/controller/effects/effect-runner";
import { permitReset, storeReset, type Permission } from "@/server/usecases/hosts/bmc/store-bmc-reset";

export interface BmcResetterOptions extends Pick<EffectDependencies, "hardware" | "secrets"> {
  readonly pool: Pool;
  /** This process's controller; only one of those alive restarts BMCs. */
  readonly controllerId: string;
  readonly onError: (error: unknown) => void;
  /** How often it looks; for tests. */
  readonly everyMs?: number;
}

const usuallyEveryMs = 2_000;
const maxUnderWay = 16;
/** Of one look, or of the request with what is read before it. */
const timeoutMs = 30_000;

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

/** When a request is taken up again. In memory: the next process takes all up at once. */
interface Turn {
  readonly requestedAtMs: number;
  dueAtMs: number;
  /** How often in a row something in progress held it back. */
  held: number;
  /** How often the credential was refused since a look got in. */
  refusals: number;
  heard: Heard;
}

export class BmcResetter {
  readonly #options: BmcResetterOptions;
  readonly #everyMs: number;
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #turns = new Map<string, Turn>();
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #tick: Promise<void> | null = null;

  constructor(options: BmcResetterOptions) {
    this.#options = options;
    this.#everyMs = options.everyMs ?? usuallyEveryMs;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#tick ??= this.#pass()
        .catch(this.#options.onError)
        .finally(() => {
          this.#tick = null;
        });
    }, this.#everyMs);
  }

  /** Ends looks, and waits for the answer to what was sent. The next process follows it. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#stopping.abort();
    await this.#tick;
    await Promise.all(this.#underWay.values());
  }

  async #pass(): Promise<void> {
    const { pool, controllerId, onError } = this.#options;
    if (this.#underWay.size >= maxUnderWay) return;
    // What ends while the rows are read may have changed its row after that: it is looked at in the next pass.
    const busy = new Set(this.#underWay.keys());
    const open = await openResets(pool, controllerId);
    const turns = this.#turnsOf(open);
    // The longest due first, so that silent BMCs hold up nobody.
    const taken = open
      .filter(({ hostId }) => !busy.has(hostId) && turns(hostId).dueAtMs <= Date.now())
      .toSorted((one, other) => turns(one.hostId).dueAtMs - turns(other.hostId).dueAtMs)
      .slice(0, maxUnderWay - this.#underWay.size);
    if (taken.length === 0 || this.#stopping.signal.aborted) return;
    const rows = await effectTargets(
      pool,
      taken.map(({ hostId }) => hostId),
    );
    if (this.#stopping.signal.aborted) return;
    for (const reset of taken) {
      const row = rows.get(reset.hostId);
      if (row === undefined) continue;
      const turn = turns(reset.hostId);
      const work =
        reset.sentAt === null ? this.#send(reset, row, turn) : this.#look(reset, reset.sentAt, row, turn);
      this.#underWay.set(
        reset.hostId,
        work.catch(onError).finally(() => this.#underWay.delete(reset.hostId)),
      );
    }
  }

  /** Of each open request; what is over is forgotten. */
  #turnsOf(open: readonly OpenReset[]): (hostId: string) => Turn {
    const requested = new Map(open.map(({ hostId, requestedAt }) => [hostId, requestedAt.getTime()]));
    for (const [hostId, { requestedAtMs }] of this.#turns)
      if (requested.get(hostId) !== requestedAtMs) this.#turns.delete(hostId);
    return (hostId) => {
      const known = this.#turns.get(hostId);
      if (known !== undefined) return known;
      const requestedAtMs = requested.get(hostId) ?? 0;
      const turn = { requestedAtMs, dueAtMs: 0, held: 0, refusals: 0, heard: nothingHeard };
      this.#turns.set(hostId, turn);
      return turn;
    };
  }

  async #send(reset: OpenReset, row: TargetRow, turn: Turn): Promise<void> {
    const { pool } = this.#options;
    if (Date.now() - reset.requestedAt.getTime() > resetWaitMs)
      return storeReset(pool, reset, {
        phase: "failed",
        says: "Nothing was sent: it could not be within 5 minutes, because something was in progress on the host or its BMC, or no controller ran.",
        todo: "Reset it again.",
      });
    let permission: Permission | null = null;
    // Until it is permitted, a stop ends it: what is sent is answered.
    const unsent = new AbortController();
    const stop = () => unsent.abort();
    this.#stopping.signal.addEventListener("abort", stop, { once: true });
    const began = await beginBmcReset(
      this.#options,
      row,
      { timeoutMs, signal: unsent.signal },
      async (sent) => {
        if (unsent.signal.aborted) return false;
        this.#stopping.signal.removeEventListener("abort", stop);
        permission = await permitReset(pool, reset, sent);
        return permission === "permitted";
      },
    ).finally(() => this.#stopping.signal.removeEventListener("abort", stop));
    const end = (says: string, todo: string) => storeReset(pool, reset, { phase: "failed", says, todo });
    switch (permission as Permission | null) {
      case "over":
        return;
      case "busy":
        turn.dueAtMs = Date.now() + busyWaitMs(turn.held, this.#everyMs);
        turn.held += 1;
        return;
      case "permitted":
        if (began.ok) await storeReset(pool, reset, { phase: "sent", todo: null, answered: true });
        else if (began.error.unknownOutcome)
          await storeReset(pool, reset, { phase: "sent", says: sentence(began.error.message), todo: null });
        else await end(sentence(began.error.message), "Restart it in its own web interface.");
        return;
      case null:
        if (!began.ok && !unsent.signal.aborted)
          await end(`Nothing was sent: ${began.error.message}.`, "Test the BMC.");
    }
  }

  async #look(reset: OpenReset, sentAt: Date, row: TargetRow, turn: Turn): Promise<void> {
    const { pool } = this.#options;
    const { signal } = this.#stopping;
    const before = storedJson.parse(reset.before);
    const looked = await lookAtBmcReset(this.#options, row, { timeoutMs, signal }, before).catch(
      (error: unknown) => {
        this.#options.onError(error);
        const words = error instanceof Error ? error.message : String(error);
        return { ok: false, error: { message: `Reclaim could not look at the BMC: ${words}` } } as const;
      },
    );
    if (signal.aborted) return;
    const look: BmcResetLook = looked.ok
      ? looked.value.look
      : {
          ...{ kind: "unclear", refused: false, heard: false },
          ...{ words: sentence(looked.error.message), todo: "Test the BMC." },
        };
    const nowMs = Date.now();
    const awayAtMs = reset.awayAt?.getTime() ?? null;
    turn.refusals = refusalsAfter(turn.refusals, look);
    turn.heard = heardAfter(turn.heard, look, awayAtMs !== null, nowMs);
    const sent = { sentAtMs: sentAt.getTime(), awayAtMs, answered: reset.answered, heard: turn.heard };
    turn.dueAtMs = nowMs + lookWaitMs(nowMs - sent.sentAtMs, turn.refusals, this.#everyMs);
    const step = afterLook(sent, look, nowMs);
    const next = looked.ok ? looked.value.before : before;
    // Most looks show what the one before showed.
    const isSame = step.phase === reset.phase && step.says === reset.says;
    if (isSame && isDeepStrictEqual(next, before)) return;
    await storeReset(pool, reset, { ...step, before: next, since: { phase: reset.phase, before } });
  }
}
