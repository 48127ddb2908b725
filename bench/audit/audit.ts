// `npm run bench -- --audit`: the audit log under concurrent writers, beside a fleet, and with a million events: missed events, slowdown of hosts, and the
// time for proofs, pages and a full verification.
import { randomUUID } from "node:crypto";
import pino from "pino";
import { Pool } from "pg";
import { fleetSection, slower } from "@/bench/audit/audit-report";
import { follow } from "@/bench/audit/follow";
import { largeLogSection } from "@/bench/audit/large-log";
import { releaseInTurns } from "@/bench/audit/transitions";
import {
  eventOf,
  hosts,
  makePlainTable,
  people,
  perSecond,
  perTransaction,
  write,
  writers,
} from "@/bench/audit/writers";
import { budgets, figure, quantile } from "@/bench/figures";
import type { Section } from "@/bench/figures";
import type { Plan } from "@/bench/release/plan";
import type { BenchDatabase } from "@/bench/scale/database";
import { startSystem } from "@/bench/system";
import { writeAudit } from "@/server/db/audit";
import { numberEvents, readTree } from "@/server/db/audit-log/sequencer";
import { signNews } from "@/server/db/audit-log/sign";
import { withConnection } from "@/server/db/connection";
import { createDatabase } from "@/server/db/prisma";
import { createSecretBox } from "@/server/db/secrets/secret-box";
import { sqlOn } from "@/server/db/sql";
import { startAuditLog } from "@/server/jobs/audit-log/audit-log";
import type { Backend } from "@/server/usecases/backend";

export const auditEvents = 1_000_000;

interface Bench {
  readonly pool: Pool;
  readonly backend: Backend;
  readonly signal: AbortSignal;
  readonly say: (words: string) => void;
}

const forSeconds = (seconds: number, signal: AbortSignal): AbortSignal =>
  AbortSignal.any([AbortSignal.timeout(seconds * 1_000), signal]);

async function underWriters({ pool, backend, signal, say }: Bench, seconds: number): Promise<Section> {
  const secondsAlone = Math.ceil(seconds / 3);
  say(`${writers} writers for ${secondsAlone} s, nobody numbers`);
  const alone = await write(pool, "log", forSeconds(secondsAlone, signal));
  while ((await numberEvents(pool)) > 0);
  say(`${writers} writers for ${seconds} s, numbered, signed and followed`);
  const stop = startAuditLog(pool, backend.secrets, pino({ level: "silent" }), "http://bench.invalid");
  const follower = follow(backend, (await readTree(pool)).size);
  const { ids, rolledBack, times, seconds: took } = await write(pool, "log", forSeconds(seconds, signal));
  const ended = performance.now();
  const followed = await follower.until(ids);
  const lag = performance.now() - ended;
  await stop();
  const missed = [...ids].filter((id) => !followed.ids.has(id)).length;
  const [median, medianAlone] = [quantile(times, 0.5), quantile(alone.times, 0.5)];
  return {
    title: `${writers} writers, ${perSecond} events/s with 5 % rollbacks for ${seconds} s`,
    figures: [
      figure("events committed", ids.size / took, "events/s", {
        note: `${rolledBack} transactions were rolled back`,
      }),
      figure("numbers left out", followed.gaps, "", { budget: budgets.none }),
      figure("events that follow missed", missed, "", { budget: budgets.none }),
      figure("last event followed, after the last commit", lag, "ms"),
      figure("a writer's transaction, p50, nobody numbers", medianAlone, "ms"),
      figure("a writer's transaction, p50, numbered and signed", median, "ms"),
      figure("a writer's transaction, p50, slower by that", slower(median, medianAlone), "%", {
        note: "hosts are measured above",
      }),
      figure("a writer's transaction, p99, numbered and signed", quantile(times, 0.99), "ms"),
    ],
  };
}

/** Fills the log up to this many events. Returns how many were numbered per second. */
async function fill({ pool, backend, signal, say }: Bench, wanted: number): Promise<number> {
  const events = Math.max(1_000, wanted - (await readTree(pool)).size);
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
  await signNews(pool, backend.secrets);
  return events / ((performance.now() - began) / 1_000);
}

/** A fleet beside the writers, in separate processes. Also returns the key that seals the secrets in its database. */
async function besideFleet(
  pool: Pool,
  database: BenchDatabase,
  plan: Plan,
  quick: boolean,
  signal: AbortSignal,
  say: (words: string) => void,
): Promise<{ readonly section: Section; readonly encryptionKey: string }> {
  const size = quick ? { hosts: 20, perSecond: 10, quick } : { hosts: 24, perSecond: 3, quick };
  say(`starting simulator, controller and web for ${size.hosts} hosts`);
  const system = await startSystem({ database, plan, hosts: size.hosts, profiles: null, signal });
  try {
    await makePlainTable(pool);
    const turns = await releaseInTurns({ pool, database, system, plan, signal }, size, say);
    return { section: fleetSection(turns), encryptionKey: system.secrets.encryptionKey };
  } finally {
    await system.stop();
  }
}

/** @param events in the log when proofs, pages and the verification are measured */
export async function measureAudit(
  plan: Plan,
  bench: BenchDatabase,
  events: number,
  signal: AbortSignal,
  say: (words: string) => void,
): Promise<{ readonly setting: readonly string[]; readonly sections: readonly Section[] }> {
  const pool = new Pool({ connectionString: bench.url, max: writers + 4 });
  const database = createDatabase(bench.url, { max: 4, applicationName: "reclaim bench" });
  const quick = events < 100_000;
  try {
    const fleet = await besideFleet(pool, bench, plan, quick, signal, say);
    const secrets = createSecretBox(Buffer.from(fleet.encryptionKey, "base64"));
    const backend: Backend = { database, secrets };
    const all: Bench = { pool, backend, signal, say };
    const written = await underWriters(all, quick ? 6 : 60);
    const numbered = await fill(all, events);
    const large = await largeLogSection({ pool, backend, say }, numbered);
    return {
      setting: [
        `Plan \`${plan.name}\` (${plan.digest}); beside the fleet, writers are one process, and numbers and signatures are the controller's.`,
        `Events of ${hosts} hosts and ${people} people, ${perTransaction} in a transaction; without the fleet writers, sequencer and follower are one process.`,
      ],
      sections: [fleet.section, written, large],
    };
  } finally {
    await database.$disconnect();
    await pool.end();
  }
}
