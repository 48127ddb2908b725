// Lifts a brake, so that hosts of its group can start again.
import { brakes } from "@/server/contract/cleaning/queue";
import { acted, defineAct } from "@/server/usecases/define-act";
import { wakeQueued } from "@/server/usecases/cleaning/queue/wake-queued";
import { refused } from "@/server/usecases/problem";

export const liftBrake = defineAct({
  ...brakes.lift,
  names: ({ brakeId }) => ({ kind: "brake", id: brakeId }),
  find: async ({ tx }, { brakeId }) => {
    const row = await tx.brake.findUnique({ where: { id: brakeId } });
    return row === null ? null : { id: row.id, belongs: { tenantId: null }, value: row };
  },
  run: async ({ tx, actor }, brake, { reason }) => {
    const { count } = await tx.brake.updateMany({
      where: { id: brake.id, liftedAt: null },
      data: { liftedAt: new Date(), liftedBy: actor.personId },
    });
    if (count === 0) return refused("conflict", "The brake was already lifted.");
    // Those that another brake holds back stay.
    const hosts = await wakeQueued(tx, brake.siteId);
    return acted({
      value: { lifted: true as const, hosts },
      targetId: brake.id,
      tenantId: null,
      before: { dimension: brake.dimension, value: brake.value, message: brake.message },
      after: { lifted: true, reason },
    });
  },
});
