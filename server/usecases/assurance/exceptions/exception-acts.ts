// Requests an exception to what a gate recorded, for another person to approve; and withdraws one (docs/adr/0105-exceptions-and-dispositions.md).
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { exceptions as contract } from "@/server/contract/assurance/exceptions";
import type { Transaction } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import { evidenceDigest } from "@/server/domain/assurance/approvals/evidence-digest";
import { askRefusal } from "@/server/domain/reclamations/gates/exception-standing";
import { driveEvidence, exceptionEvidence } from "@/server/domain/reclamations/gates/exceptions";
import type { GateName } from "@/server/domain/reclamations/gates/gate-names";
import { askApproval, voidApprovals } from "@/server/usecases/assurance/approvals/ask-approval";
import { supersededAt } from "@/server/usecases/assurance/exceptions/list-exceptions";
import { openDrives, readStopped } from "@/server/usecases/assurance/exceptions/stopped";
import type { Stopped } from "@/server/usecases/assurance/exceptions/stopped";
import { acted, defineAct } from "@/server/usecases/define-act";
import { lockRun } from "@/server/usecases/hosts/lock-run";
import { wakeHosts } from "@/server/usecases/hosts/wake-hosts";
import { touchUnallocated } from "@/server/usecases/hosts/maintenance/maintenance";
import { refused } from "@/server/usecases/problem";

/** What is to be let through, in the form that the digest binds; a sentence if there is nothing to let through. */
function askedFor(stopped: Stopped, gate: GateName, drive: string | null) {
  const { reclamationId, planEpoch } = stopped;
  if (reclamationId === null || planEpoch === null) return "The host is in no reclamation.";
  const of = { reclamationId, planEpoch };
  if (drive === null) {
    const recorded = stopped.gates.find((each) => each.gate === gate);
    return recorded === undefined
      ? `${gate} has not been evaluated yet.`
      : { reclamationId, device: null, found: exceptionEvidence(of, recorded) };
  }
  const named = openDrives(stopped).filter(({ serial }) => serial === drive);
  const [only] = named;
  if (only === undefined || named.length > 1) return `Two drives have the serial number ${drive}.`;
  return { reclamationId, device: only, found: driveEvidence(of, only, only.found) };
}

export const askException = defineAct({
  ...contract.ask,
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: async ({ tx }, { hostId }) => {
    await lockRun(tx, hostId);
    const value = await readStopped(tx, hostId);
    return value === undefined ? null : { id: hostId, belongs: { tenantId: null }, value };
  },
  run: async ({ tx, actor }, stopped, { hostId, gate, drive = null, reason, measure, risk, validUntil }) => {
    // safety: exceptions: a person asks, so that another one can approve
    if (actor.kind === "local") return refused("forbidden", "An exception needs two people: sign in first.");
    const no = askRefusal({
      ...{ gate, drive, kind: stopped.kind, stopped: stopped.stopped },
      status: stopped.gates.find((each) => each.gate === gate)?.status ?? null,
      openDrives: openDrives(stopped).map(({ serial }) => serial),
      validUntilMs: validUntil.getTime(),
      nowMs: stopped.now.getTime(),
    });
    if (no !== null) return refused("notAllowedNow", no.reason, no.field);
    const asked = askedFor(stopped, gate, drive);
    if (typeof asked === "string") return refused("notAllowedNow", asked, drive === null ? "gate" : "drive");
    const { reclamationId, device, found } = asked;
    const evidence = evidenceDigest(found);
    const id = randomUUID();
    const approvalId = await askApproval(tx, actor, {
      ...{ kind: "exception" as const, subjectId: id, evidence, siteId: stopped.siteId, hostId, reason },
      validUntil,
    });
    await tx.gateException.create({
      data: {
        ...{ id, siteId: stopped.siteId, hostId, hostName: stopped.hostName, reclamationId, gate },
        driveSerial: device?.serial ?? null,
        driveModel: device?.model ?? null,
        found: JSON.parse(JSON.stringify(found)),
        ...{ measure, risk, approvalId },
      },
    });
    return acted({
      value: { id, approvalId, evidence },
      ...{ targetId: hostId, tenantId: null, before: null },
      after: {
        ...{ id, gate, drive, reason, measure, risk, evidence },
        validUntil: validUntil.toISOString(),
      },
      tell: { feed: [{ hostId, tenantId: null, what: "assurance" }] },
    });
  },
});

const isSuperseded = async (tx: Transaction, id: string): Promise<boolean> => {
  const rows = await queryRows(
    tx,
    sql`SELECT 1 FROM gate_exception x JOIN approval a ON a.id = x.approval_id WHERE x.id = ${id}::uuid AND ${supersededAt} < a.valid_until`,
  );
  return rows.length > 0;
};

export const withdrawException = defineAct({
  ...contract.withdraw,
  names: ({ id }) => ({ kind: "exception", id }),
  find: async ({ tx }, { id }) => {
    const known = await tx.gateException.findUnique({ where: { id } });
    if (known === null) return null;
    await lockRun(tx, known.hostId);
    return { id, belongs: { tenantId: null }, value: known };
  },
  run: async ({ tx }, { id, hostId, reclamationId, gate, approvalId }, { reason }) => {
    const { voidedAt, decision } = await tx.approval.findUniqueOrThrow({ where: { id: approvalId } });
    if (voidedAt !== null) return refused("conflict", "This exception is void already.");
    if (decision === "rejected") return refused("conflict", "This request was rejected already.");
    if (await isSuperseded(tx, id))
      return refused(
        "conflict",
        "The host has become Ready without this exception. There is nothing to withdraw.",
      );
    await voidApprovals(tx, [approvalId], `withdrawn: ${reason}`);
    await wakeHosts(tx, [hostId]);
    const rests = await queryRows(
      tx,
      sql`SELECT 1 FROM host_run WHERE host_id = ${hostId}::uuid AND reclamation_id = ${reclamationId}::uuid`,
    );
    // safety: exceptions: a free host whose exception was withdrawn is checked again
    if (decision === "approved" && rests.length > 0)
      await touchUnallocated(tx, [hostId], `the exception for ${gate} was withdrawn`);
    return acted({
      value: { accepted: true as const },
      ...{ targetId: id, tenantId: null, before: { gate, hostId } },
      after: { withdrawn: true, reason },
      tell: { wake: true, feed: [{ hostId, tenantId: null, what: "assurance" }] },
    });
  },
});
