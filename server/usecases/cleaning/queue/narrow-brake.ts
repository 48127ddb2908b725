// Keeps a brake on for a part of its group; the rest may begin (docs/cleaning.md#the-brake).
import { isDeepStrictEqual } from "node:util";
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

/** Whether the brake is as the person saw it: it has not come on again since, and holds the same. */
const sees = (
  brake: { readonly engagedAt: Date; readonly narrowedTo: unknown },
  seen: { readonly engagedAt: Date; readonly narrowedTo: readonly Part[] | null },
): boolean =>
  seen.engagedAt.getTime() === brake.engagedAt.getTime() &&
  isDeepStrictEqual(seen.narrowedTo, narrowedTo.parse(brake.narrowedTo));

export const narrowBrake = defineAct({
  ...brakes.narrow,
  names: ({ brakeId }) => ({ kind: "brake", id: brakeId }),
  find: async ({ tx }, { brakeId }) => {
    const row = await tx.brake.findUnique({ where: { id: brakeId } });
    return row === null ? null : { id: row.id, belongs: { tenantId: null }, value: row };
  },
  run: async ({ tx, actor }, brake, { to, seen, reason }) => {
    const { found } = await readHavings(tx, brake.id);
    const parts = partsOf(brake, found);
    const known = ({ dimension, value }: Part) =>
      parts.some((part) => part.dimension === dimension && part.value === value);
    const unknown = to.find((one) => !known(one));
    // A mistyped value is on no host, and would let the whole group go on.
    // safety: admission: a brake is kept on for what a failed host has
    if (unknown !== undefined)
      return refused("invalid", `No host whose failure put this brake on has ${unknown.value}.`, "to");
    // safety: admission: nobody lets go of what they have not seen held
    if (!sees(brake, seen))
      return refused("conflict", "The brake has changed since you looked. Read it again, then decide.");
    const { count } = await tx.brake.updateMany({
      where: {
        ...{ id: brake.id, liftedAt: null, asks: { isEmpty: true } },
        ...{ engagedAt: brake.engagedAt, narrowedAt: brake.narrowedAt },
      },
      // Whether it may take the last capacity of a SKU, once it holds its whole group again, is not decided with this.
      data: {
        narrowedTo: to.map(({ dimension, value }) => ({ dimension, value })),
        narrowedAt: new Date(),
        narrowedBy: actor.personId,
      },
    });
    if (count === 0)
      return refused("conflict", "The brake is not on, asks to be put on, or has changed just now.");
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
