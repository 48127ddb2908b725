// States what became of a drive that is owed or expected and not there, by one person with a reason; and takes such a statement back (docs/adr/0023).
import { sql } from "kysely";
import { execute } from "@/server/db/sql";
import { randomUUID } from "node:crypto";
import { actionRefusal, noMaintenance } from "@/server/domain/hosts/action-refusal";
import { dispositionRefusal } from "@/server/domain/sanitization/unaccounted";
import type { Disposition } from "@/server/domain/sanitization/dispositions";
import type { Transaction } from "@/server/db/prisma";
import { host as contract } from "@/server/contract/host";
import { defineAct } from "@/server/usecases/define-act";
import type { Found } from "@/server/usecases/define-act";
import { readHostFacts } from "@/server/usecases/hosts/host-facts";
import type { HostFacts } from "@/server/usecases/hosts/host-facts";
import { touchUnallocated } from "@/server/usecases/hosts/maintenance/maintenance";
import { lockRun } from "@/server/usecases/hosts/lock-run";
import { readUnaccounted } from "@/server/usecases/hosts/one/read-unaccounted";
import type { Unaccounted } from "@/server/usecases/hosts/one/read-unaccounted";
import { done, notFound, refused } from "@/server/usecases/problem";

interface Target {
  readonly facts: HostFacts;
  readonly unaccounted: Unaccounted;
}

/** Locks the host's run, so that two statements on one drive come one after the other. */
async function findTarget(tx: Transaction, id: string): Promise<Found<Target> | null> {
  await lockRun(tx, id);
  const facts = await readHostFacts(tx, sql`r.host_id = ${id}::uuid`);
  const unaccounted = await readUnaccounted(tx, id);
  return facts === null || unaccounted === null
    ? null
    : { id, belongs: { tenantId: null }, value: { facts, unaccounted } };
}

/** Gates rest on what stands: a decision that was made with the old one must not lead to Ready. */
async function withdraw(
  tx: Transaction,
  { id }: Pick<Disposition, "id">,
  by: string | null,
  why: string,
  host: string,
): Promise<void> {
  await tx.driveDisposition.update({
    where: { id },
    data: { withdrawnAt: new Date(), withdrawnBy: by, withdrawnReason: why },
  });
  await execute(tx, sql`UPDATE host_run SET evidence_seq = evidence_seq + 1 WHERE host_id = ${host}::uuid`);
}

/** Nobody answers for the drive any more: the chassis owes it, and a free host is checked before it is allocated. */
async function oweAgain(tx: Transaction, hostId: string, drive: string): Promise<void> {
  await execute(
    tx,
    sql`
    INSERT INTO debt (id, chassis_serial, drive_serials) SELECT gen_random_uuid(), h.serial, ARRAY[${drive}::text]
    FROM host h WHERE h.id = ${hostId}::uuid AND h.serial IS NOT NULL AND h.hardware_type <> 'fake'`,
  );
  // safety: recheck: a host whose disposition was withdrawn is not allocated
  await touchUnallocated(tx, hostId, `the disposition of drive ${drive} was withdrawn`);
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

export const disposeDrive = defineAct({
  ...contract.disposeDrive,
  names: (input) => ({ kind: "host", id: input.hostId }),
  find: ({ tx }, input) => findTarget(tx, input.hostId),
  run: async ({ tx, actor }, { facts, unaccounted }, { drive, kind, slot, reason: why }) => {
    const id = facts.hostId;
    const no = actionRefusal("disposeDrive", facts, noMaintenance);
    if (no !== null) return refused("notAllowedNow", sentence(no));
    const known = unaccounted.drives.find(({ key }) => key === drive);
    if (known === undefined || unaccounted.chassisSerial === null) {
      return refused(
        "notAllowedNow",
        `Drive ${drive} is not missing on this host. If it was removed just now, read the inventory again first.`,
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
    if (before?.kind === kind && before.reason === why && before.slot === inSlot)
      return done({ value: { id: before.id }, changes: [] });
    const by = actor.kind === "local" ? null : actor.personId;
    if (before !== null) await withdraw(tx, before, by, "replaced by another statement", id);
    const made = await tx.driveDisposition.create({
      data: {
        id: randomUUID(),
        hostId: id,
        chassisSerial: unaccounted.chassisSerial,
        key: drive,
        model: known.model,
        slot: inSlot,
        kind,
        reason: why,
        byId: by,
        byName: actor.name,
        reclamationId: unaccounted.reclamationId,
      },
      select: { id: true },
    });
    return done({
      value: { id: made.id },
      changes: [
        {
          targetId: id,
          tenantId: null,
          before: before === null ? null : { drive, kind: before.kind, reason: before.reason },
          after: { drive, kind, reason: why, ...(inSlot === null ? {} : { slot: inSlot }) },
        },
      ],
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
    await oweAgain(tx, facts.hostId, drive);
    return done({
      value: { accepted: true as const },
      changes: [
        {
          targetId: facts.hostId,
          tenantId: null,
          before: { drive, kind: standing.kind, reason: standing.reason },
          after: { withdrawn: true, reason: why },
        },
      ],
      tell: { wake: true, feed: [{ hostId: facts.hostId, tenantId: null, what: "settings" }] },
    });
  },
});
