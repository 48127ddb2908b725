// Lifts a brake, so that hosts of its group can start again.
import { tellWithin } from "@/server/db/hot/signal";
import { brakes } from "@/server/contract/queue";
import { defineAct } from "@/server/usecases/define-act";
import { done, refused } from "@/server/usecases/problem";

export const liftBrake = defineAct({
  ...brakes.lift,
  names: ({ brakeId }) => ({ kind: "brake", id: brakeId }),
  find: async ({ tx }, { brakeId }) => {
    const row = await tx.brake.findUnique({ where: { id: brakeId } });
    return row === null ? null : { id: row.id, belongs: { tenantId: null }, value: row };
  },
  run: async ({ tx, actor }, brake) => {
    const { count } = await tx.brake.updateMany({
      where: { id: brake.id, liftedAt: null },
      data: { liftedAt: new Date(), liftedBy: actor.personId },
    });
    if (count === 0) return refused("conflict", "The brake was already lifted.");
    // Wakes the hosts that it held back; those that another brake holds back stay.
    const held = await tx.hostRun.findMany({
      where: { siteId: brake.siteId, state: { in: ["WaitingForCleanup/Queued", "ManualCleaning/Queued"] } },
      select: { hostId: true },
    });
    await tellWithin(tx, {
      signals: held.map(({ hostId }) => ({ hostId, kind: "look" as const, payload: {} })),
      feed: held.map(({ hostId }) => ({ hostId, tenantId: null, what: "brake" })),
    });
    return done({
      value: { lifted: true as const, hosts: held.length },
      changes: [
        {
          targetId: brake.id,
          tenantId: null,
          before: { dimension: brake.dimension, value: brake.value, message: brake.message },
          after: { lifted: true },
        },
      ],
    });
  },
});
