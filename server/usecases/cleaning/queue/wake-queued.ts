// Makes the queued hosts of a site look again, after a brake changed.
import { tellWithin } from "@/server/db/hot/signal";
import type { Transaction } from "@/server/db/prisma";

/** Returns how many. */
export async function wakeQueued(tx: Transaction, siteId: string): Promise<number> {
  const queued = await tx.hostRun.findMany({
    where: { siteId, state: { in: ["WaitingForCleanup/Queued", "ManualCleaning/Queued"] } },
    select: { hostId: true },
  });
  await tellWithin(tx, {
    signals: queued.map(({ hostId }) => ({ hostId, kind: "look" as const, payload: {} })),
    feed: queued.map(({ hostId }) => ({ hostId, tenantId: null, what: "brake" })),
  });
  return queued.length;
}
