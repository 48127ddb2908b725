// Restarts the BMCs that people asked to be restarted, once each, and follows them until they are back (docs/hardware.md#reset-bmc).
import { isDeepStrictEqual } from "node:util";
import type { Pool } from "pg";
import { openResets, type OpenReset } from "@/server/db/hot/fleet/bmc-resets";
import { effectTargets } from "@/server/db/hot/hardware/targets";
import type { TargetRow } from "@/server/db/hot/hardware/targets";
import { afterLook, resetWaitMs } from "@/server/domain/hardware/bmc-reset";
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

export class BmcResetter {
  readonly #options: BmcResetterOptions;
  readonly #underWay = new Set<string>();
  #timer: NodeJS.Timeout | null = null;
  #tick: Promise<void> | null = null;

  constructor(options: BmcResetterOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#tick ??= this.#pass()
        .catch(this.#options.onError)
        .finally(() => {
          this.#tick = null;
        });
    }, this.#options.everyMs ?? usuallyEveryMs);
  }

  /** What was sent is followed by the next process. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#tick;
  }

  async #pass(): Promise<void> {
    const { pool, controllerId, onError } = this.#options;
    if (this.#underWay.size >= maxUnderWay) return;
    // What ends while the rows are read may have changed its row after that: it is looked at in the next pass.
    const busy = new Set(this.#underWay);
    const open = (await openResets(pool, controllerId)).filter(({ hostId }) => !busy.has(hostId));
    const taken = open.slice(0, maxUnderWay - this.#underWay.size);
    if (taken.length === 0) return;
    const rows = await effectTargets(
      pool,
      taken.map(({ hostId }) => hostId),
    );
    for (const reset of taken) {
      const row = rows.get(reset.hostId);
      if (row === undefined) continue;
      this.#underWay.add(reset.hostId);
      (reset.sentAt === null ? this.#send(reset, row) : this.#look(reset, reset.sentAt, row))
        .catch(onError)
        .finally(() => this.#underWay.delete(reset.hostId));
    }
  }

  async #send(reset: OpenReset, row: TargetRow): Promise<void> {
    const { pool } = this.#options;
    if (Date.now() - reset.requestedAt.getTime() > resetWaitMs)
      return storeReset(pool, reset, {
        phase: "failed",
        says: "Nothing was sent: it could not be within 5 minutes, because something was in progress on the host or its BMC, or no controller ran.",
        todo: "Reset it again.",
      });
    let permission: Permission | null = null;
    const began = await beginBmcReset(this.#options, row, { timeoutMs }, async (sent) => {
      permission = await permitReset(pool, reset, sent);
      return permission === "permitted";
    });
    const end = (says: string, todo: string) => storeReset(pool, reset, { phase: "failed", says, todo });
    switch (permission as Permission | null) {
      case "over":
        return;
      case "busy":
        return;
      case "permitted":
        if (began.ok)
          await storeReset(pool, reset, { phase: "sent", says: null, todo: null, answered: true });
        else if (began.error.unknownOutcome)
          await storeReset(pool, reset, { phase: "sent", says: sentence(began.error.message), todo: null });
        else await end(sentence(began.error.message), "Restart it in its own web interface.");
        return;
      case null:
        if (!began.ok) await end(`Nothing was sent: ${began.error.message}.`, "Test the BMC.");
    }
  }

  async #look(reset: OpenReset, sentAt: Date, row: TargetRow): Promise<void> {
    const { pool } = this.#options;
    const before = storedJson.parse(reset.before);
    const looked = await lookAtBmcReset(this.#options, row, { timeoutMs }, before);
    const sent = {
      sentAtMs: sentAt.getTime(),
      awayAtMs: reset.awayAt?.getTime() ?? null,
      answered: reset.answered,
    };
    const look = looked.ok ? looked.value.look : ({ kind: "silent", words: looked.error.message } as const);
    const step = afterLook(sent, look, Date.now());
    const next = looked.ok ? looked.value.before : before;
    // Most looks show what the one before showed.
    if (step.phase === reset.phase && isDeepStrictEqual(next, before)) return;
    await storeReset(pool, reset, { ...step, before: next });
  }
}
