// The label with which a repair begins: what an earlier one left must not say how this one ended.
import { hostLabels } from "@/server/domain/labels/host-labels";
import { repairStatusLabel } from "@/server/domain/repair/completion";
import type { Transaction } from "@/server/db/prisma";
import { readLabels } from "@/server/usecases/instances/labels";
import { refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

export const noRoom: Outcome<never> = refused(
  "conflict",
  `The host has as many labels as it may have, so none can say how its repair stands. Remove one, so that ${repairStatusLabel} has room.`,
);

/** In the transaction of the claim. A host that is not claimed for repair gets the label only where an old one would be taken for an answer. False: there is no room for it. */
export async function beginRepair(tx: Transaction, hostId: string, forRepair: boolean): Promise<boolean> {
  const host = await tx.host.findUniqueOrThrow({ where: { id: hostId }, select: { labels: true } });
  const before = readLabels(host.labels);
  if (!forRepair && before[repairStatusLabel] === undefined) return true;
  const labels = { ...before, [repairStatusLabel]: "InProgress" };
  if (!hostLabels.safeParse(labels).success) return false;
  await tx.host.update({ where: { id: hostId }, data: { labels } });
  return true;
}
