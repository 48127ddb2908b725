// Eight writers of audit events at a fixed pace; some transactions roll back.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { auditInsert, auditText } from "@/server/db/audit";
import type { AuditEvent } from "@/server/db/audit";
import { withConnection } from "@/server/db/connection";
import { executeText, sqlOn } from "@/server/db/sql";

export const writers = 8;
export const perSecond = 2_000;
export const perTransaction = 4;
/** One of twenty transactions is rolled back. */
const rollbackEvery = 20;
export const people = 40;
export const hosts = 2_000;

export const hostOf = (n: number): string => `00000000-0000-4000-8000-${String(n % hosts).padStart(12, "0")}`;

export const eventOf = (n: number, id: string): AuditEvent => ({
  id,
  actor: { kind: "person", id: `person-${n % people}`, name: `Person ${n % people}` },
  action: n % 7 === 0 ? "host.restart" : "host.retry",
  targetId: hostOf(n),
  tenantId: null,
  requestId: id,
  address: "192.0.2.7",
  outcome: n % 50 === 0 ? "refused" : "done",
  before: { state: "Assigned/Ready", generation: n },
  after: { state: "WaitingForCleanup/Queued", generation: n + 1, reason: "bench" },
});

/** A table like that of the events, with its indexes but without its trigger: its rows are neither numbered nor signed. */
const plainTable = "bench_plain_event";

export const makePlainTable = (pool: Pool): Promise<unknown> =>
  pool.query(`CREATE TABLE ${plainTable} (LIKE audit_event INCLUDING ALL)`);

const insertInto = {
  log: auditInsert("$1"),
  plain: auditInsert("$1").replace("INTO audit_event", `INTO ${plainTable}`),
} as const;
export type WritesTo = keyof typeof insertInto;

export interface Written {
  /** From committed transactions. */
  readonly ids: ReadonlySet<string>;
  readonly rolledBack: number;
  readonly seconds: number;
  /** Duration of each transaction, ascending, in ms. */
  readonly times: readonly number[];
}

/** What one transaction writes: made before the measurement, because JSON and hashes are the work of the machines that the writers stand for. */
export interface Prepared {
  readonly ids: readonly string[];
  readonly text: string;
}

function prepareOne(n: number): Prepared {
  const events = Array.from({ length: perTransaction }, (_, at) =>
    eventOf(n * perTransaction + at, randomUUID()),
  );
  return { ids: events.map(({ id = "" }) => id), text: auditText(events) };
}

/** Enough for so many seconds at full pace. */
export const prepare = (seconds: number): Prepared[] =>
  Array.from({ length: Math.ceil((seconds * perSecond) / perTransaction) }, (_, n) => prepareOne(n));

/**
 * Writes until `over`. A writer that falls behind its pace writes without pauses.
 * @param prepared is used up; what is missing is made while writing
 */
export async function write(
  pool: Pool,
  to: WritesTo,
  over: AbortSignal,
  prepared: Prepared[] = [],
): Promise<Written> {
  const ids = new Set<string>();
  const times: number[] = [];
  let rolledBack = 0;
  const everyMs = (1_000 * perTransaction * writers) / perSecond;
  const began = performance.now();
  const one = async (writer: number): Promise<void> =>
    withConnection(pool, async (client) => {
      for (let n = 0; !over.aborted; n += 1) {
        // Spread evenly: writers that know nothing of one another do not all write at the same moment.
        const due = began + (n + writer / writers) * everyMs;
        const early = due - performance.now();
        if (early > 0) await sleep(early);
        const next = prepared.pop() ?? prepareOne(n * writers + writer);
        const isRolledBack = (n + writer) % rollbackEvery === 0;
        const start = performance.now();
        await client.query("BEGIN");
        await executeText(sqlOn(client), insertInto[to], [next.text]);
        await client.query(isRolledBack ? "ROLLBACK" : "COMMIT");
        times.push(performance.now() - start);
        if (isRolledBack) rolledBack += 1;
        else for (const id of next.ids) ids.add(id);
      }
    });
  await Promise.all(Array.from({ length: writers }, (_, writer) => one(writer)));
  const seconds = (performance.now() - began) / 1_000;
  return { ids, rolledBack, seconds, times: times.toSorted((a, b) => a - b) };
}
