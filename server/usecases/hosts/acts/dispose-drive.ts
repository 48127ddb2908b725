// States what became of a drive that is owed or expected but missing, for another person to sign; and withdraws a statement (docs/adr/0023, docs/adr/0105).
import { sql } from "kysely";
import { execute } from "@/server/db/sql";
import { randomUUID } from "node:crypto";
import { actionRefusal, noMaintenance } from "@/server/domain/hosts/action-refusal";
import { evidenceDigest } from "@/server/domain/assurance/approvals/evidence-digest";
import { dispositionRefusal } from "@/server/domain/cleaning/sanitization/unaccounted";
import type { Disposition } from "@/server/domain/cleaning/sanitization/dispositions";
import type { Transaction } from "@/server/db/prisma";
import { host as contract } from "@/server/contract/hosts/host";
import { askApproval, voidApprovals } from "@/server/usecases/assurance/approvals/ask-approval";
import { acted, unchanged, defineAct } from "@/server/usecases/define-act";
import type { Target } from "@/server/usecases/define-act";
import { readHostFacts } from "@/server/usecases/hosts/host-facts";
import type { HostFacts } from "@/server/usecases/hosts/host-facts";
import { touchUnallocated } from "@/server/usecases/hosts/maintenance/maintenance";
import { lockRun } from "@/server/usecases/hosts/lock-run";
import { readUnaccounted } from "@/server/usecases/hosts/one/read-unaccounted";
import type { Unaccounted } from "@/server/usecases/hosts/one/read-unaccounted";
import type { Actor } from "@/server/usecases/actor";
import { notFound, refused, sentence } from "@/server/usecases/problem";

interface DriveTarget {
  readonly facts: HostFacts;
  readonly unaccounted: Unaccounted;
}

/** Locks the host's run, so that two statements about a drive are serialized. */
async function findTarget(tx: Transaction, id: string): Promise<Target<DriveTarget> | null> {
  await lockRun(tx, id);
  const facts = await readHostFacts(tx, sql`r.host_id = ${id}::uuid`);
  const unaccounted = await readUnaccounted(tx, id);
  return facts === null || unaccounted === null
    ? null
    : { id, belongs: { tenantId: null }, value: { facts, unaccounted } };
}

/** Gates rest on the statements in force: a decision made with the old one must not lead to Ready. */
async function withdraw(
  tx: Transaction,
  { id }: Pick<Disposition, "id">,
  by: string | null,
  why: string,
  host: string,
): Promise<void> {
  const { approvalId } = await tx.driveDisposition.update({
    where: { id },
    data: { withdrawnAt: new Date(), withdrawnBy: by, withdrawnReason: why },
    select: { approvalId: true },
  });
  if (approvalId !== null)
    await voidApprovals(tx, [approvalId], `the statement was withdrawn or replaced: ${why}`);
  await execute(tx, sql`UPDATE host_run SET evidence_seq = evidence_seq + 1 WHERE host_id = ${host}::uuid`);
}

/** The host may have continued because of it. */
const answered = ({ signature }: Disposition): boolean => signature === "signed" || signature === "one";

/** The drive is no longer accounted for: the chassis owes it again, and a free host is checked before it is allocated. */
async function oweAgain(
  tx: Transaction,
  hostId: string,
  drive: string,
  how: "withdrawn" | "replaced",
): Promise<void> {
  await execute(
    tx,
    sql`
    INSERT INTO debt (id, chassis_serial, drive_serials) SELECT gen_random_uuid(), h.serial, ARRAY[${drive}::text]
    FROM host h WHERE h.id = ${hostId}::uuid AND h.serial IS NOT NULL AND h.hardware_type <> 'fake'`,
  );
  // safety: recheck: a host whose disposition was withdrawn is not allocated
  await touchUnallocated(tx, [hostId], `the disposition of drive ${drive} was ${how}`);
}

/** A statement about one drive. */
type Statement = Readonly<{
  hostId: string;
  chassisSerial: string;
  key: string;
  model: string;
  slot: string | null;
  kind: string;
  reason: string;
  reclamationId: string | null;
}>;

/** Stores the statement and requests the signature of another person, who sees exactly this. */
async function state(
  tx: Transaction,
  actor: Actor,
  siteId: string,
  statement: Statement,
): Promise<{ readonly id: string; readonly approvalId: string }> {
  const id = randomUUID();
  const approvalId = await askApproval(tx, actor, {
    kind: "disposition",
    subjectId: id,
    evidence: evidenceDigest({ id, ...statement }),
    siteId,
    hostId: statement.hostId,
    reason: statement.reason,
    validUntil: null,
  });
  await tx.driveDisposition.create({
    data: { id, ...statement, byId: actor.personId, byName: actor.name, approvalId },
  });
  return { id, approvalId };
}

export const disposeDrive = defineAct({
  ...contract.disposeDrive,
  names: (input) => ({ kind: "host", id: input.hostId }),
  find: ({ tx }, input) => findTarget(tx, input.hostId),
  run: async ({ tx, actor }, { facts, unaccounted }, { drive, kind, slot, reason: why }) => {
    const id = facts.hostId;
    // safety: dispositions: a person states it, so that another one can sign
    if (actor.kind === "local") return refused("forbidden", "A disposition needs two people: sign in first.");
    const no = actionRefusal("disposeDrive", facts, noMaintenance);
    if (no !== null) return refused("notAllowedNow", sentence(no));
    const known = unaccounted.drives.find(({ key }) => key === drive);
    if (known === undefined || unaccounted.chassisSerial === null) {
      return refused(
        "notAllowedNow",
        `Drive ${drive} is not missing on this host. If it has just been removed, read the inventory again first.`,
        "drive",
      );
    }
    const never = dispositionRefusal(known, kind);
    if (never !== null) return refused("notAllowedNow", never, "drive");
    const isRemoved = kind !== "misread";
    const inSlot = isRemoved ? null : (slot ?? known.slot);
    if (!isRemoved && inSlot === null)
      return refused(
        "invalid",
        "slot: name the slot that holds the drive with the other serial number.",
        "slot",
      );
    const before = known.disposition;
    const isSame = before?.kind === kind && before.reason === why && before.slot === inSlot;
    if (isSame && (before.signature === "signed" || before.signature === "waits"))
      return unchanged({ id: before.id, waits: before.signature === "waits" });
    if (before !== null) {
      await withdraw(tx, before, actor.personId, "replaced by another statement", id);
      // safety: disposition: a drive is owed until what replaces its statement is signed
      if (answered(before)) await oweAgain(tx, id, drive, "replaced");
    }
    const made = await state(tx, actor, facts.siteId, {
      hostId: id,
      chassisSerial: unaccounted.chassisSerial,
      key: drive,
      model: known.model,
      slot: inSlot,
      kind,
      reason: why,
      reclamationId: unaccounted.reclamationId,
    });
    return acted({
      value: { id: made.id, waits: true },
      targetId: id,
      tenantId: null,
      before: before === null ? null : { drive, kind: before.kind, reason: before.reason },
      after: { drive, kind, reason: why, ...(inSlot === null ? {} : { slot: inSlot }), ...made },
      tell: { feed: [{ hostId: id, tenantId: null, what: "settings" }] },
    });
  },
});

export const withdrawDisposition = defineAct({
  ...contract.withdrawDisposition,
  names: (input) => ({ kind: "host", id: input.hostId }),
  find: ({ tx }, input) => findTarget(tx, input.hostId),
  run: async ({ tx, actor }, { facts, unaccounted }, { drive, reason: why }) => {
    const standing = unaccounted.dispositions.find(({ key }) => key === drive);
    if (standing === undefined) return notFound("disposition of drive", drive);
    await withdraw(tx, standing, actor.kind === "local" ? null : actor.personId, why, facts.hostId);
    // safety: disposition: a drive nobody answers for any more is owed
    if (answered(standing)) await oweAgain(tx, facts.hostId, drive, "withdrawn");
    return acted({
      value: { accepted: true as const },
      targetId: facts.hostId,
      tenantId: null,
      before: { drive, kind: standing.kind, reason: standing.reason },
      after: { withdrawn: true, reason: why },
      tell: { wake: true, feed: [{ hostId: facts.hostId, tenantId: null, what: "settings" }] },
    });
  },
});
