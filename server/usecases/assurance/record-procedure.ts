// Records that a procedure was carried out, and asks another person to sign it off (docs/adr/0102-approvals-and-procedures.md).
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { z } from "zod";
import { procedures as contract } from "@/server/contract/assurance/procedures";
import type { Transaction } from "@/server/db/prisma";
import { execute, queryRows } from "@/server/db/sql";
import { roleTable } from "@/server/domain/access/roles";
import type { Procedure } from "@/server/domain/assurance/procedures/procedure";
import { evidenceDigest } from "@/server/domain/assurance/approvals/evidence-digest";
import { isSerial, recordRefusal } from "@/server/domain/assurance/procedures/record";
import { filesRefusal } from "@/server/domain/assurance/procedures/record-files";
import type { Actor } from "@/server/usecases/actor";
import { askApproval, voidApprovals } from "@/server/usecases/assurance/approvals/ask-approval";
import { isHeldBy } from "@/server/usecases/assurance/host-assurance";
import { readAssuredHosts } from "@/server/usecases/assurance/read-host-assurance";
import type { AssuredHost } from "@/server/usecases/assurance/read-host-assurance";
import { defineAct } from "@/server/usecases/define-act";
import type { ActContext, Target } from "@/server/usecases/define-act";
import { keepEvidence } from "@/server/usecases/assurance/evidence/hold-evidence";
import type { KeptFile } from "@/server/usecases/assurance/evidence/hold-evidence";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

type Input = z.output<typeof contract.record.input>;

/** Locks hosts in the order that every statement uses. A tenant gets "not found" for a host that it does not hold. */
async function lockHosts(
  { tx, actor }: ActContext<Transaction>,
  { hosts }: Input,
): Promise<Target<readonly AssuredHost[]> | null> {
  const ids = [...new Set(hosts.map(({ hostId }) => hostId.toLowerCase()))];
  await queryRows(
    tx,
    sql`SELECT 1 FROM host_run WHERE host_id = ANY(${ids}::uuid[]) ORDER BY host_id FOR UPDATE`,
  );
  const found = await readAssuredHosts(tx, sql`h.id = ANY(${ids}::uuid[])`, ids.length);
  // safety: procedures: a tenant records on hosts that it holds (true)
  const isTheirs = !roleTable[actor.role].ofTenant || found.every((host) => isHeldBy(host, actor));
  return found.length === ids.length && ids.length === hosts.length && isTheirs
    ? { id: ids.join(", "), belongs: { tenantId: actor.tenantId }, value: found }
    : null;
}

interface Recorded {
  readonly host: AssuredHost;
  readonly procedure: Procedure;
  readonly serial: string;
}

/** What to record on each host, or why one of them refuses. */
function recordedOn(hosts: readonly AssuredHost[], input: Input): Outcome<readonly Recorded[]> {
  const recorded: Recorded[] = [];
  for (const host of hosts) {
    const { holder } = host;
    if (holder === null) return refused("notAllowedNow", `${host.name}: ${host.refusal}`);
    const procedure = host.procedures.find(({ name }) => name === input.procedure);
    if (procedure === undefined)
      return refused(
        "conflict",
        `${host.name}: its policy has no procedure ${input.procedure}.`,
        "procedure",
      );
    const no = recordRefusal(procedure, input, { sinceMs: holder.sinceMs, nowMs: host.nowMs });
    if (no !== null) return refused("invalid", `${host.name}: ${no.reason}.`, no.field);
    const serial = input.hosts.find(({ hostId }) => hostId.toLowerCase() === host.id)?.serial ?? "";
    if (!isSerial(serial, host.serial))
      return refused(
        "invalid",
        `${serial} is not the serial number of ${host.name}. Read it at the machine.`,
        "hosts",
      );
    recorded.push({ host, procedure, serial });
  }
  return done(recorded);
}

/** Voids an undecided earlier record of the same procedure, which the new one replaces. */
async function voidEarlier(tx: Transaction, hostId: string, name: string): Promise<void> {
  const rows = await queryRows(
    tx,
    sql<{ id: string }>`
    SELECT a.id::text FROM procedure_record d JOIN approval a ON a.id = d.approval_id
    WHERE d.host_id = ${hostId}::uuid AND d.procedure = ${name} AND a.decision IS NULL AND a.voided_at IS NULL`,
  );
  if (rows.length > 0)
    await voidApprovals(
      tx,
      rows.map(({ id }) => id),
      "there is a newer record",
    );
}

/** Somebody was at the machine, so earlier readings no longer count. A host held by a tenant is cleaned later anyway. */
const touch = (tx: Transaction, { id, holder }: AssuredHost, name: string) =>
  holder?.kind === "instance"
    ? Promise.resolve(0)
    : execute(
        tx,
        sql`
        UPDATE host_run SET touched = true, touched_reason = ${`the procedure ${name} was carried out on it`}, touch_uncovered = true, allocatable = false,
          evidence_seq = evidence_seq + 1, wake_seq = wake_seq + 1, due_at = least(coalesce(due_at, 'infinity'), now())
        WHERE host_id = ${id}::uuid`,
      );

/** The last erase of the reclamation in row order. The host is locked, so none is added meanwhile. */
async function lastResult(tx: Transaction, { holder }: AssuredHost): Promise<bigint | null> {
  if (holder?.kind !== "reclamation") return null;
  const [row] = await queryRows(
    tx,
    sql<{ id: string | null }>`
    SELECT max(id)::text AS id FROM device_result WHERE reclamation_id = ${holder.id}::uuid`,
  );
  return row?.id == null ? null : BigInt(row.id);
}

const dayMs = 24 * 60 * 60_000;

async function writeRecord(
  tx: Transaction,
  actor: Actor,
  { host, procedure, serial }: Recorded,
  input: Input,
  files: readonly KeptFile[],
) {
  const id = randomUUID();
  const { holder } = host;
  const { place, answers, ticket, comment, doneFrom, doneUntil } = input;
  const reason = host.standings.find((standing) => standing.procedure.name === procedure.name)?.reason ?? "";
  const shows = new Map(input.files.map((file) => [file.sha256, file.shows]));
  const kept = files.map(({ sha256, name, bytes }) => ({
    sha256,
    name,
    bytes,
    shows: shows.get(sha256) ?? "other",
  }));
  const reusableUntil =
    procedure.reusableDays === null ? null : new Date(doneUntil.getTime() + procedure.reusableDays * dayMs);
  const body = {
    siteId: host.siteId,
    hostId: host.id,
    hostName: host.name,
    serial: serial.trim(),
    reclamationId: holder?.kind === "reclamation" ? holder.id : null,
    instanceId: holder?.kind === "instance" ? holder.id : null,
    procedure: procedure.name,
    version: procedure.version,
    definition: procedure,
    reason: reason === "" ? "not asked for by the policy" : reason,
    operatorId: actor.personId,
    operatorName: actor.name,
    tenantId: actor.tenantId,
    place,
    answers: [...answers],
    ticket,
    comment,
    files: kept,
  };
  const times = { doneFrom, doneUntil, reusableUntil, afterResult: await lastResult(tx, host) };
  const evidence = evidenceDigest({
    ...body,
    doneFrom: doneFrom.toISOString(),
    doneUntil: doneUntil.toISOString(),
    reusableUntil: reusableUntil?.toISOString() ?? null,
  });
  const approvalId = await askApproval(tx, actor, {
    kind: "signOff",
    subjectId: id,
    evidence,
    siteId: host.siteId,
    hostId: host.id,
    reason: body.reason,
    validUntil: null,
  });
  await tx.procedureRecord.create({ data: { id, ...body, ...times, approvalId } });
  return { id, hostId: host.id, evidence, approvalId };
}

export const recordProcedure = defineAct({
  ...contract.record,
  names: ({ hosts }) => ({ kind: "host", id: hosts.map(({ hostId }) => hostId).join(", ") }),
  find: lockHosts,
  run: async ({ tx, actor }, hosts, input) => {
    if (actor.kind === "local") return refused("forbidden", "A record is a person's: sign in first.");
    const recorded = recordedOn(hosts, input);
    if (!recorded.ok) return recorded;
    const digests = input.files.map(({ sha256 }) => sha256);
    const { files, missing } = await keepEvidence(tx, actor, digests);
    if (missing !== null) return refused("invalid", `files: upload the file ${missing} first.`, "files");
    const wrong = filesRefusal(input.files, files);
    if (wrong !== null) return refused("invalid", `${wrong.field}: ${wrong.reason}.`, wrong.field);
    const written = [];
    for (const each of recorded.value) {
      await voidEarlier(tx, each.host.id, each.procedure.name);
      written.push(await writeRecord(tx, actor, each, input, files));
      await touch(tx, each.host, each.procedure.name);
    }
    return done({
      value: { records: written.map(({ id, hostId }) => ({ id, hostId })) },
      changes: written.map(({ id, hostId, evidence, approvalId }) => ({
        targetId: hostId,
        tenantId: actor.tenantId,
        before: null,
        after: { record: id, procedure: input.procedure, version: input.version, evidence, approvalId },
      })),
      tell: {
        wake: true,
        feed: written.map(({ hostId }) => ({ hostId, tenantId: actor.tenantId, what: "assurance" })),
      },
    });
  },
});
