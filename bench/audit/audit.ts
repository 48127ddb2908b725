// `npm run bench -- --audit`: the audit log under writers, and with a million events: what it misses, and how long proofs, pages and the whole check take.
import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pino from "pino";
import { Pool } from "pg";
import { follow } from "@/bench/audit/follow";
import { figure, quantile } from "@/bench/figures";
import type { Section } from "@/bench/figures";
import type { BenchDatabase } from "@/bench/scale/database";
import { writeAudit } from "@/server/db/audit";
import type { AuditEvent } from "@/server/db/audit";
import { readPublicKeys } from "@/server/db/audit-log/keys";
import { readEventProof } from "@/server/db/audit-log/event-proof";
import { numberEvents } from "@/server/db/audit-log/sequencer";
import { signNews } from "@/server/db/audit-log/sign";
import { withConnection } from "@/server/db/connection";
import { createDatabase } from "@/server/db/prisma";
import { createSecretBox } from "@/server/db/secrets/secret-box";
import { sqlOn } from "@/server/db/sql";
import { parseKey } from "@/server/domain/audit-log/note";
import { policyOfKeys } from "@/server/domain/audit-log/policy";
import { verifyLog } from "@/server/domain/audit-log/verify-log";
import { audit } from "@/server/contract/access/audit";
import { startAuditLog } from "@/server/jobs/audit-log/audit-log";
import { localActor } from "@/server/usecases/actor";
import { listAudit } from "@/server/usecases/audit/list-audit";
import { readLogFile } from "@/server/usecases/audit/log-file";
import type { Backend } from "@/server/usecases/backend";

export const auditEvents = 1_000_000;

const writers = 8;
const perSecond = 2_000;
const perTransaction = 4;
/** Of twenty transactions one is rolled back. */
const rollbackEvery = 20;
const people = 40;
const hosts = 2_000;

const hostOf = (n: number): string => `00000000-0000-4000-8000-${String(n % hosts).padStart(12, "0")}`;

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

interface Written {
  /** Of transactions that were committed. */
  readonly ids: ReadonlySet<string>;
  readonly rolledBack: number;
  /** Of each transaction, ascending, in ms. */
  readonly times: readonly number[];
}

/** Eight writers at a fixed pace: one that falls behind writes without a pause. */
async function write(pool: Pool, seconds: number, signal: AbortSignal): Promise<Written> {
  const ids = new Set<string>();
  const times: number[] = [];
  let rolledBack = 0;
  const everyMs = (1_000 * perTransaction * writers) / perSecond;
  const began = performance.now();
  const one = async (writer: number): Promise<void> =>
    withConnection(pool, async (client) => {
      for (let n = 0; ; n += 1) {
        const due = began + n * everyMs;
        if (due > began + seconds * 1_000 || signal.aborted) return;
        if (performance.now() < due) await sleep(due - performance.now());
        const events = Array.from({ length: perTransaction }, (_, at) =>
          eventOf(n * writers + at, randomUUID()),
        );
        const isRolledBack = (n + writer) % rollbackEvery === 0;
        const start = performance.now();
        await client.query("BEGIN");
        await writeAudit(sqlOn(client), ...events);
        await client.query(isRolledBack ? "ROLLBACK" : "COMMIT");
        times.push(performance.now() - start);
        if (isRolledBack) rolledBack += 1;
        else for (const { id = "" } of events) ids.add(id);
      }
    });
  await Promise.all(Array.from({ length: writers }, (_, writer) => one(writer)));
  return { ids, rolledBack, times: times.toSorted((a, b) => a - b) };
}

interface Bench {
  readonly pool: Pool;
  readonly backend: Backend;
  readonly signal: AbortSignal;
  readonly say: (words: string) => void;
}

async function underWriters({ pool, backend, signal, say }: Bench, seconds: number): Promise<Section> {
  say(`${writers} writers for ${Math.ceil(seconds / 3)} s, nobody numbers`);
  const alone = await write(pool, Math.ceil(seconds / 3), signal);
  while ((await numberEvents(pool)) > 0);
  say(`${writers} writers for ${seconds} s, numbered, signed and followed`);
  const stop = startAuditLog(pool, backend.secrets, pino({ level: "silent" }), "http://bench.invalid");
  const follower = follow(backend);
  const began = performance.now();
  const { ids, rolledBack, times } = await write(pool, seconds, signal);
  const rate = ids.size / ((performance.now() - began) / 1_000);
  const ended = performance.now();
  const followed = await follower.until([...ids, ...alone.ids].length + 1);
  const lag = performance.now() - ended;
  await stop();
  const missed = [...ids].filter((id) => !followed.ids.has(id)).length;
  const [median, medianAlone] = [quantile(times, 0.5), quantile(alone.times, 0.5)];
  return {
    title: `${writers} writers, ${perSecond} events/s with 5 % rollbacks for ${seconds} s`,
    figures: [
      figure("events committed", rate, "events/s", { note: `${rolledBack} transactions were rolled back` }),
      figure("numbers left out", followed.gaps, "", { budget: { most: 0 } }),
      figure("events that follow missed", missed, "", { budget: { most: 0 } }),
      figure("last event followed, after the last commit", lag, "ms"),
      figure("a writer's transaction, p50, nobody numbers", medianAlone, "ms"),
      figure("a writer's transaction, p50, numbered and signed", median, "ms"),
      figure("a writer's transaction, p50, slower by that", slower(median, medianAlone), "%", {
        budget: { most: 10 },
      }),
      figure("a writer's transaction, p99, numbered and signed", quantile(times, 0.99), "ms"),
    ],
  };
}

/** By how many percent; null: there is nothing to compare. */
const slower = (now: number | null, before: number | null): number | null =>
  now === null || before === null ? null : (now / before - 1) * 100;

/** Times of an act that is repeated, ascending. */
async function timesOf(count: number, act: (n: number) => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const began = performance.now();
    await act(n);
    times.push(performance.now() - began);
  }
  return times.toSorted((a, b) => a - b);
}

async function fill({ pool, signal, say }: Bench, events: number): Promise<{ readonly numberMs: number }> {
  say(`writing ${events} events`);
  const batch = 2_000;
  for (let n = 0; n < events && !signal.aborted; n += batch)
    await withConnection(pool, (client) =>
      writeAudit(
        sqlOn(client),
        ...Array.from({ length: Math.min(batch, events - n) }, (_, at) => eventOf(n + at, randomUUID())),
      ),
    );
  await pool.query("ANALYZE audit_event");
  say("numbering them");
  const began = performance.now();
  while ((await numberEvents(pool)) > 0);
  return { numberMs: performance.now() - began };
}

async function ofManyEvents(bench: Bench, events: number): Promise<Section> {
  const { pool, backend, say } = bench;
  const { numberMs } = await fill(bench, events);
  await signNews(pool, backend.secrets);
  say("reading proofs and pages");
  const { rows } = await pool.query<{ id: string }>(
    "SELECT event_id AS id FROM audit_leaf TABLESAMPLE SYSTEM (1) LIMIT 200",
  );
  const proofs = await timesOf(rows.length, (n) => readEventProof(pool, rows[n]?.id ?? "", undefined));
  const asked = [
    {},
    { action: "host.restart" },
    { actor: "Person 7" },
    { outcome: "refused" as const },
    { targetId: hostOf(77) },
    { action: "host.nothing" },
    { actor: "Nobody" },
  ];
  const pages = await timesOf(asked.length * 5, (n) =>
    listAudit(backend, localActor, audit.list.input.parse(asked[n % asked.length])),
  );
  say("checking the whole log");
  const keys = (await readPublicKeys(backend.database)).flatMap(({ key }) => parseKey(key) ?? []);
  const began = performance.now();
  const verified = await verifyLog(
    async (path) => {
      const file = await readLogFile(backend, localActor, path);
      return file.ok ? file.value.bytes : null;
    },
    { policy: policyOfKeys(keys) },
  );
  const verifyMs = performance.now() - began;
  return {
    title: `${verified.size} events in the log`,
    figures: [
      figure("events numbered", events / (numberMs / 1_000), "events/s"),
      figure("inclusion proof, p50", quantile(proofs, 0.5), "ms"),
      figure("inclusion proof, p99", quantile(proofs, 0.99), "ms", { budget: { most: 50 } }),
      figure("inclusion proof, longest", quantile(proofs, 1), "ms", { budget: { most: 50 } }),
      figure("page of a search, p50", quantile(pages, 0.5), "ms"),
      figure("page of a search, longest", quantile(pages, 1), "ms", { budget: { most: 200 } }),
      figure("the whole log checked", verifyMs / 1_000, "s", {
        budget: { most: 120 },
        note: `${verified.faults.length} faults; in the process of the server, without HTTP`,
      }),
      figure("faults found", verified.faults.length, "", { budget: { most: 0 } }),
    ],
  };
}

/** @param events in the log when proofs, pages and the check are measured */
export async function measureAudit(
  { url }: BenchDatabase,
  events: number,
  signal: AbortSignal,
  say: (words: string) => void,
): Promise<{ readonly setting: readonly string[]; readonly sections: readonly Section[] }> {
  const pool = new Pool({ connectionString: url, max: writers + 4 });
  const database = createDatabase(url, { max: 4, applicationName: "reclaim bench" });
  const backend: Backend = { database, secrets: createSecretBox(randomBytes(32)) };
  const bench: Bench = { pool, backend, signal, say };
  const seconds = events < 100_000 ? 6 : 60;
  try {
    const sections = [await underWriters(bench, seconds), await ofManyEvents(bench, events)];
    return {
      setting: [
        `Events of ${hosts} hosts and ${people} people, ${perTransaction} in a transaction; writers, sequencer and follower are one process.`,
      ],
      sections,
    };
  } finally {
    await database.$disconnect();
    await pool.end();
  }
}
