// What becomes of an instance's machine after its release: its reclamation while in progress, and then the receipt. A tenant reads its own.
import type { InstanceReceipt } from "@/server/contract/instances/instances-answers";
import { storedStanding } from "@/server/domain/assurance/standing";
import { receiptParts } from "@/server/usecases/instances/receipt/receipt-parts";
import { isFailed, storedState } from "@/server/domain/lifecycle/states";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { getInstance } from "@/server/usecases/instances/list-instances";
import { readErases, readGateStatuses, readReturn } from "@/server/usecases/instances/receipt/read-return";
import { leftOutMedia, receiptDrives } from "@/server/usecases/instances/receipt/receipt-drives";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

const nothingErased = { results: [], progress: [] };

export async function getReceipt(
  backend: Backend,
  actor: Actor,
  query: { readonly id: string },
): Promise<Outcome<InstanceReceipt>> {
  const instance = await getInstance(backend, actor, query);
  if (!instance.ok) return instance;
  const { id, name, createdAt, releaseRequestedAt, endedAt, tenantOrg, tenantName, site, sku } =
    instance.value;
  const { database } = backend;
  const row = await readReturn(database, id);
  if (row === null) return notFound("instance", query.id);
  const { reclamationId, planEpoch, hostState } = row;
  const isSettled = row.debtClearedAt !== null;
  const [erases, gates] = await Promise.all([
    reclamationId === null || planEpoch === null
      ? nothingErased
      : readErases(database, reclamationId, planEpoch),
    reclamationId === null || !isSettled ? new Map() : readGateStatuses(database, reclamationId),
  ]);
  const drives = receiptDrives(row.debtSerials ?? [], row.devices, erases, {
    voided: row.voided,
    isSettled,
  });
  const debt = row.debtSerials === null ? null : { clearedAt: row.debtClearedAt };
  const { gone, fake, ended: reclamationEnded } = row;
  const leftOut = leftOutMedia(row.devices);
  const standing = storedStanding(row.standing);
  const facts = { releaseRequestedAt, endedAt, debt, gone, fake, reclamationEnded, standing, leftOut };
  const parts = receiptParts(facts, drives, gates);
  return done({
    format: 2,
    instance: { id, name, createdAt, releaseRequestedAt, endedAt },
    tenant: { org: tenantOrg, name: tenantName },
    machine: { id: row.hostId, site, sku },
    attention:
      parts.result === "open" &&
      releaseRequestedAt !== null &&
      (row.stopped || row.ended || (hostState !== null && isFailed(storedState(hostState)))),
    reclamationId,
    ...parts,
  });
}
