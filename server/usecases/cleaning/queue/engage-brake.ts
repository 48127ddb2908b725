// Puts on a brake that asks: a person takes the last capacity of a SKU (docs/cleaning.md#the-brake).
import { brakes } from "@/server/contract/cleaning/queue";
import { acted, defineAct } from "@/server/usecases/define-act";
import { wakeQueued } from "@/server/usecases/cleaning/queue/wake-queued";
import { refused } from "@/server/usecases/problem";

export const engageBrake = defineAct({
  ...brakes.engage,
  names: ({ brakeId }) => ({ kind: "brake", id: brakeId }),
  find: async ({ tx }, { brakeId }) => {
    const row = await tx.brake.findUnique({ where: { id: brakeId } });
    return row === null ? null : { id: row.id, belongs: { tenantId: null }, value: row };
  },
  run: async ({ tx, actor }, brake) => {
    const { count } = await tx.brake.updateMany({
      where: { id: brake.id, liftedAt: null, asks: { isEmpty: false } },
      data: { asks: [], decidedAt: new Date(), decidedBy: actor.personId },
    });
    if (count === 0) return refused("conflict", "The brake does not ask: it is on already, or was lifted.");
    await wakeQueued(tx, brake.siteId);
    return acted({
      value: { engaged: true as const },
      targetId: brake.id,
      tenantId: null,
      before: {
        dimension: brake.dimension,
        value: brake.value,
        message: brake.message,
        asks: brake.asks,
      },
      after: { engaged: true },
    });
  },
});
