// Outcomes of effects while the database is away or refuses one of them: each is stored in the end, and none twice.
import { DatabaseError } from "pg";
import { expect, it } from "vitest";
import { Settler } from "@/server/controller/loop/settler";
import { silentObserver } from "@/server/controller/loop/observer";
import type { Settlement } from "@/server/db/hot/hardware/effects";
import type { HotDatabase } from "@/server/db/hot/pool";

const settlementOf = (effectId: string): Settlement => ({
  hostId: `host of ${effectId}`,
  generation: "1",
  effectId,
  status: "done",
  value: null,
  error: null,
  last: true,
  quietMs: 0,
});
const refusal = (): DatabaseError =>
  Object.assign(new DatabaseError("invalid input", 0, "error"), { code: "22P05" });

/** `answer` gets the ids of each statement and throws what PostgreSQL would. */
function settlerOn(answer: (effectIds: readonly string[], statuses: readonly string[]) => void) {
  const stored: string[] = [];
  const database: HotDatabase = {
    query: ({ values }) => {
      const asked: { effect_id: string; status: string }[] = JSON.parse(String(values[1]));
      const ids = asked.map((row) => row.effect_id);
      try {
        answer(
          ids,
          asked.map(({ status }) => status),
        );
      } catch (error) {
        return Promise.reject(error);
      }
      stored.push(...ids);
      return Promise.resolve({ rows: [] });
    },
  };
  return { settler: new Settler(database, "c1", silentObserver), stored };
}

it("stores one that the database does not take as failed, and the others as they were", async () => {
  const seen: string[][] = [];
  const { settler, stored } = settlerOn((ids, statuses) => {
    if (ids.includes("junk") && statuses.includes("done")) throw refusal();
    seen.push(statuses.map((status, index) => `${ids[index]} ${status}`));
  });
  for (const id of ["a", "junk", "b"]) settler.add(settlementOf(id));
  await settler.settle();
  expect(seen).toEqual([["a done"], ["junk failed"], ["b done"]]);
  expect(stored).toEqual(["a", "junk", "b"]);
  expect(settler.waiting).toBe(false);
});

it("keeps all that are left when the database goes away half-way", async () => {
  let away = true;
  const { settler, stored } = settlerOn((ids) => {
    if (away && ids.length > 1) throw refusal();
    if (away && ids.includes("b")) throw new Error("connection lost");
  });
  for (const id of ["a", "b", "c"]) settler.add(settlementOf(id));
  await expect(settler.settle()).rejects.toThrow("connection lost");
  expect(settler.waiting).toBe(true);
  away = false;
  await settler.settle();
  expect(stored).toEqual(["a", "b", "c"]);
});
