// Keeps a brake on for a part of its group; the rest may begin (docs/cleaning.md#the-brake).
import { brakes } from "@/server/contract/cleaning/queue";
import { formatGroup } from "@/server/domain/cleaning/queue/brake";
import { narrowedTo } from "@/server/domain/cleaning/queue/narrowed";
import type { Part } from "@/server/domain/cleaning/queue/narrowed";
import { acted, defineAct } from "@/server/usecases/define-act";
import { readHavings } from "@/server/usecases/cleaning/queue/brake-evidence";
import { partsOf } from "@/server/usecases/cleaning/queue/investigate-brake";
import { wakeQueued } from "@/server/usecases/cleaning/queue/wake-queued";
import { refused } from "@/server/usecases/problem";

const named = (parts: readonly Part[]): readonly string[] => parts.map(formatGroup);

export const narrowBrake = defineAct({
  ...brakes.narrow,
  names: ({ brakeId }) => ({ kind: "brake", id: brakeId }),
  find: async ({ tx }, { brakeId }) => {
    const row = await tx.brake.findUnique({ where: { id: brakeId } });
    return row === null ? null : { id: row.id, belongs: { tenantId: null }, value: row };
  },
  run: async ({ tx, actor }, brake, { to, reason }) => {
    const { found } = await readHavings(tx, brake.id);
    const parts = partsOf(brake, found);
    const known = ({ dimension, value }: Part) =>
      parts.some((part) => part.dimension === dimension && part.value === value);
    const unknown = to.find((one) => !known(one));
    // A mistyped value is on no host, and would let the whole group go on.
    // safety: admission: a brake is kept on for what a failed host has
    if (unknown !== undefined)
      return refused("invalid", `No host whose failure put this brake on has ${unknown.value}.`, "to");
    const now = new Date();
    const { count } = await tx.brake.updateMany({
      where: { id: brake.id, liftedAt: null, asks: { isEmpty: true } },
      data: {
        narrowedTo: to.map(({ dimension, value }) => ({ dimension, value })),
        narrowedAt: now,
        narrowedBy: actor.personId,
        // A person has decided what it holds, so it does not go off to ask.
        decidedAt: brake.decidedAt ?? now,
        decidedBy: brake.decidedBy ?? actor.personId,
      },
    });
    if (count === 0) return refused("conflict", "The brake is not on: it was lifted, or asks to be put on.");
    const hosts = await wakeQueued(tx, brake.siteId);
    return acted({
      value: { narrowed: true as const, hosts },
      targetId: brake.id,
      tenantId: null,
      before: {
        dimension: brake.dimension,
        value: brake.value,
        message: brake.message,
        narrowedTo: named(narrowedTo.parse(brake.narrowedTo) ?? []),
      },
      after: { narrowedTo: named(to), reason },
    });
  },
});
