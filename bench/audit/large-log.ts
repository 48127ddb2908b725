// A log with many events: proofs, one page of each search that console and command offer, and a full verification.
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { z } from "zod";
import { hostOf } from "@/bench/audit/writers";
import { budgets, figure, quantile } from "@/bench/figures";
import type { Figure, Section } from "@/bench/figures";
import { audit } from "@/server/contract/audit-log/audit-log";
import { readEventProof } from "@/server/db/audit-log/event-proof";
import { readPublicKeys } from "@/server/db/audit-log/keys";
import { parseKey } from "@/server/domain/audit-log/note";
import { policyOfKeys } from "@/server/domain/audit-log/policy";
import { readAheadOfServer, verifyLog } from "@/server/domain/audit-log/verify-log";
import { localActor } from "@/server/usecases/actor";
import { listAudit } from "@/server/usecases/audit-log/list-audit";
import { readLogFile } from "@/server/usecases/audit-log/log-file";
import type { Backend } from "@/server/usecases/backend";

interface LargeLog {
  readonly pool: Pool;
  readonly backend: Backend;
  readonly say: (words: string) => void;
}

/** Durations of a repeated act, ascending. */
async function timesOf(count: number, act: (n: number) => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const began = performance.now();
    await act(n);
    times.push(performance.now() - began);
  }
  return times.toSorted((a, b) => a - b);
}

const dayMs = 86_400_000;

/** Each filter, with a value that matches and one that does not. */
const searches: Readonly<Record<string, z.input<typeof audit.list.input>>> = {
  "no filter": {},
  "a day": { since: new Date(Date.now() - dayMs).toISOString() },
  action: { action: "host.restart" },
  "action, none": { action: "host.nothing" },
  "actions that begin so": { action: "host." },
  "actions that begin so, none": { action: "nothing." },
  person: { actor: "Person 7" },
  "person, none": { actor: "Nobody" },
  outcome: { outcome: "refused" },
  "target by id": { targetId: hostOf(77) },
  "target by id, none": { targetId: randomUUID() },
  target: { target: hostOf(77) },
  "target, none": { target: "nothing" },
  "site, none": { site: "nothing" },
  text: { text: "queued" },
  "text, none": { text: "nothing like it" },
  "text and action, none": { text: "nothing like it", action: "host.restart" },
  "person and outcome, none": { actor: "Nobody", outcome: "refused" },
};
const asksOfEach = 10;

async function searchFigures({ backend, say }: LargeLog): Promise<readonly Figure[]> {
  say("searching");
  const found: { readonly name: string; readonly times: readonly number[] }[] = [];
  for (const [name, search] of Object.entries(searches)) {
    const asked = audit.list.input.parse(search);
    found.push({ name, times: await timesOf(asksOfEach, () => listAudit(backend, localActor, asked)) });
  }
  const longest = ({ times }: { readonly times: readonly number[] }): number => quantile(times, 1) ?? 0;
  const worst = found.toSorted((a, b) => longest(b) - longest(a));
  const all = found.flatMap(({ times }) => times).toSorted((a, b) => a - b);
  return [
    figure("page of a search, p50 of all filters", quantile(all, 0.5), "ms"),
    ...worst.slice(0, 3).map((one) =>
      figure(`page of a search, longest: ${one.name}`, longest(one), "ms", {
        budget: budgets.auditPageMs,
        note: `p50 ${(quantile(one.times, 0.5) ?? 0).toFixed(0)} ms`,
      }),
    ),
  ];
}

async function proofFigures({ pool, say }: LargeLog): Promise<readonly Figure[]> {
  say("reading proofs");
  const { rows } = await pool.query<{ id: string }>(
    "SELECT event_id AS id FROM audit_leaf TABLESAMPLE SYSTEM (1) LIMIT 500",
  );
  const proofs = await timesOf(rows.length, (n) => readEventProof(pool, rows[n]?.id ?? "", undefined));
  return [
    figure("inclusion proof, p50", quantile(proofs, 0.5), "ms", { note: `of ${rows.length}` }),
    figure("inclusion proof, p99", quantile(proofs, 0.99), "ms", { budget: budgets.auditProofMs }),
    figure("inclusion proof, longest", quantile(proofs, 1), "ms", { budget: budgets.auditProofMs }),
  ];
}

/** @param numbered events per second while the log was filled */
export async function largeLogSection(log: LargeLog, numbered: number): Promise<Section> {
  const { backend, say } = log;
  const proofs = await proofFigures(log);
  const pages = await searchFigures(log);
  say("checking the whole log");
  const keys = (await readPublicKeys(backend.database)).flatMap(({ key }) => parseKey(key) ?? []);
  const [began, beganCpu] = [performance.now(), process.cpuUsage()];
  const verified = await verifyLog(
    async (path) => {
      const file = await readLogFile(backend, localActor, path);
      return file.ok ? file.value.bytes : null;
    },
    { policy: policyOfKeys(keys), readAhead: readAheadOfServer },
  );
  const seconds = (performance.now() - began) / 1_000;
  const cpu = process.cpuUsage(beganCpu);
  return {
    title: `${verified.size} events in the log`,
    figures: [
      figure("events numbered", numbered, "events/s"),
      ...proofs,
      ...pages,
      figure("the whole log checked", seconds, "s", {
        budget: budgets.auditCheckSeconds,
        note: `files and check in one process, without HTTP: ${((cpu.user + cpu.system) / 1e6).toFixed(0)} s of its processor time`,
      }),
      figure("faults found", verified.faults.length, "", { budget: budgets.none }),
    ],
  };
}
