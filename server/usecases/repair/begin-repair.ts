// Starts a repair: writes its record and resets its label, because the outcome of an earlier repair must not be taken for this one's.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import { hostLabels } from "@/server/domain/hosts/labels/host-labels";
import { repairStatusLabel } from "@/server/domain/repair/completion";
import { noteLabels } from "@/server/domain/repair/repairs";
import type { Transaction } from "@/server/db/prisma";
import { readLabels } from "@/server/usecases/instances/labels";
import { ticketsOfRepair } from "@/server/usecases/break-fix/ticket-hooks";
import { refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { recordClaim } from "@/server/usecases/repair/record-repair";
import type { RepairClaim } from "@/server/usecases/repair/record-repair";

const notes: readonly string[] = Object.values(noteLabels);

export const noRoom: Outcome<never> = refused(
  "conflict",
  `The host has the maximum number of labels. Remove one to make room for ${repairStatusLabel}.`,
);

/** Runs in the transaction of the claim. False if there is no room for the label. */
export async function beginRepair(tx: Transaction, claim: RepairClaim, forRepair: boolean): Promise<boolean> {
  if (forRepair) await recordClaim(tx, claim);
  return resetOutcome(tx, claim.hostId, forRepair);
}

/**
 * A host that is not claimed for repair gets the label only if an old one would be taken for the outcome. Read with the host's row locked, so that
 * concurrently written labels are not lost. False if there is no room for it.
 */
export async function resetOutcome(tx: Transaction, hostId: string, forRepair: boolean): Promise<boolean> {
  const [host] = await queryRows(
    tx,
    sql<{ labels: unknown }>`
    SELECT labels FROM host WHERE id = ${hostId}::uuid AND (${forRepair} OR labels ? ${repairStatusLabel}) FOR NO KEY UPDATE`,
  );
  if (host === undefined) return true;
  const kept = Object.entries(readLabels(host.labels)).filter(([name]) => !notes.includes(name));
  const labels = { ...Object.fromEntries(kept), [repairStatusLabel]: "InProgress" };
  if (!hostLabels.safeParse(labels).success) return false;
  await tx.host.update({ where: { id: hostId }, data: { labels } });
  if (forRepair) await ticketsOfRepair(tx, hostId, "begun");
  return true;
}
