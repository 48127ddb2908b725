// Progress of running steps: what must survive is written before the answer, the rest at most every 5 s per host (docs/design/datapath.md#budget).
import { createHash } from "node:crypto";
import type { Pool } from "pg";
import type { ProgressBody } from "@/server/domain/agents/protocol";
import { progressEveryMs, progressFlushMs } from "@/server/domain/agents/signs-of-life";
import type { AgentQuestion } from "@/server/db/hot/agent/session";
import { storeProgress, type ProgressRow } from "@/server/db/hot/agent/report";

const forgetMs = 60_000;

interface Attempt {
  readonly by: AgentQuestion;
  readonly stepRunId: string;
  sequence: number;
  unstoppable: boolean;
  writtenAt: number;
  pending: ProgressBody | null;
}

/** `held`: it is written with a later report or by itself; the sender was authenticated within the last 5 s. */
export type Progressed =
  | { readonly kind: "held" }
  | { readonly kind: "written"; readonly row: ProgressRow }
  | { readonly kind: "unauthorized" };

export class ProgressWriter {
  readonly #attempts = new Map<string, Attempt>();
  #timer: NodeJS.Timeout | null = null;

  readonly #pool: Pool;
  readonly #now: () => number;
  readonly #onError: (error: unknown) => void;

  constructor(pool: Pool, now: () => number, onError: (error: unknown) => void) {
    this.#pool = pool;
    this.#now = now;
    this.#onError = onError;
  }

  start(): void {
    this.#timer = setInterval(() => void this.flush(false), progressFlushMs);
    this.#timer.unref();
  }

  /** Writes what is still held. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.flush(true);
  }

  /**
   * Written before this returns: the first report of an attempt, reports with journal lines, and reports that change whether the host may be powered
   * off.
   */
  async put(by: AgentQuestion, stepRunId: string, body: ProgressBody): Promise<Progressed> {
    const key = keyOf(by, stepRunId, body.attempt);
    const known = this.#attempts.get(key);
    const mayWait =
      known !== undefined &&
      body.journal.length === 0 &&
      body.unstoppable === known.unstoppable &&
      body.sequence > known.sequence &&
      this.#now() - known.writtenAt < progressEveryMs;
    if (mayWait) {
      known.pending = body;
      known.sequence = body.sequence;
      return { kind: "held" };
    }
    return this.#write(key, by, stepRunId, body);
  }

  /** The attempt is over, so held progress is not worth writing. */
  forget(by: AgentQuestion, stepRunId: string, attempt: number): void {
    this.#attempts.delete(keyOf(by, stepRunId, attempt));
  }

  /** Writes what was held long enough, or everything. */
  async flush(all: boolean): Promise<void> {
    const at = this.#now();
    for (const [key, attempt] of [...this.#attempts]) {
      const age = at - attempt.writtenAt;
      if (attempt.pending === null) {
        if (age > forgetMs) this.#attempts.delete(key);
      } else if (all || age >= progressEveryMs) {
        const body = attempt.pending;
        attempt.pending = null;
        await this.#write(key, attempt.by, attempt.stepRunId, body).catch(this.#onError);
      }
    }
  }

  async #write(key: string, by: AgentQuestion, stepRunId: string, body: ProgressBody): Promise<Progressed> {
    for (let tries = 0; ; tries += 1) {
      const { attempt, sequence, percent, message, devices, journal, unstoppable } = body;
      const progress = { percent, message, devices, unstoppable };
      const row = await storeProgress(this.#pool, {
        ...by,
        step_run_id: stepRunId,
        attempt,
        sequence,
        progress,
        mark: markOf(body),
        remaining: remainingOf(devices),
        journal,
        percent,
        message,
        unstoppable,
      });
      if (row === undefined) return { kind: "unauthorized" };
      if (row.verdict === "moved" && tries < 3) continue;
      if (row.verdict === "stored")
        this.#attempts.set(key, {
          by,
          stepRunId,
          sequence,
          unstoppable,
          writtenAt: this.#now(),
          pending: null,
        });
      else if (row.verdict !== "same" && row.verdict !== "late") this.#attempts.delete(key);
      return { kind: "written", row };
    }
  }
}

/** Longer than any erase takes. A drive that reports more is wrong, and the policy's own maximum applies anyway (`eraseMayRunUntilMs`). */
const longestMs = 30 * 86_400_000;

/** How long each drive continues; null if it does not report that, or only an agent's clock would say so (docs/adr/0022-durations-travel.md). */
function remainingOf(
  devices: ProgressBody["devices"],
): { readonly serial: string; readonly ms: number | null }[] {
  const bySerial = new Map<string, number | null>();
  for (const { serial, remainingMs } of devices)
    bySerial.set(
      serial,
      remainingMs === undefined || remainingMs === null ? null : Math.min(remainingMs, longestMs),
    );
  return [...bySerial].map(([serial, ms]) => ({ serial, ms }));
}

/** Hash of a report's numbers: only a report with different ones is progress. */
function markOf({ percent, devices }: ProgressBody): string {
  const numbers = [
    percent,
    ...devices.map((device) => [device.serial, device.percent, device.remainingMs ?? null]),
  ];
  return createHash("sha256").update(JSON.stringify(numbers)).digest("base64url");
}

/** With the address, so that a report from another one is not held, but asked about. */
const keyOf = ({ token, address }: AgentQuestion, stepRunId: string, attempt: number): string =>
  [token, address, stepRunId, attempt].join(" ");
