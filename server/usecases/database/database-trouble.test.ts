// What /readyz says of the database: whether it answers now, not what dead connections of the pool remember.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { HotDatabase } from "@/server/db/hot/pool";
import { databaseTrouble } from "@/server/usecases/database/database-trouble";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Answer = "yes" | "broken" | "silent";

/** Whose connections answer like this, one after the other, the last one for ever. */
function database(...answers: readonly Answer[]) {
  let asked = 0;
  const pool: HotDatabase = {
    query: () => {
      const answer = answers[Math.min(asked, answers.length - 1)];
      asked += 1;
      if (answer === "broken") return Promise.reject(new Error("Connection terminated unexpectedly"));
      return answer === "yes" ? Promise.resolve({ rows: [] }) : new Promise(() => undefined);
    },
  };
  return { pool, asked: () => asked };
}

it.each<[string, readonly Answer[], string | null, number]>([
  ["answers", ["yes"], null, 1],
  ["answers on another connection than one that broke", ["broken", "broken", "yes"], null, 3],
  ["answers on another connection than one that is silent", ["silent", "yes"], null, 2],
  ["breaks every connection", ["broken"], "cannot be reached", 4],
  ["is silent", ["silent"], "no answer", 4],
  ["breaks one connection and is silent then", ["broken", "silent"], "cannot be reached", 4],
])("a database that %s", async (_what, answers, message, asked) => {
  const { pool, asked: count } = database(...answers);
  const trouble = databaseTrouble(pool);
  await vi.runAllTimersAsync();
  expect((await trouble)?.message ?? null).toBe(message);
  expect(count()).toBe(asked);
});

it("that is silent may be helped by a restart of the process, and one that refuses may not", async () => {
  const troubles = [databaseTrouble(database("silent").pool), databaseTrouble(database("broken").pool)];
  await vi.runAllTimersAsync();
  expect((await Promise.all(troubles)).map((trouble) => trouble?.restart)).toEqual([true, false]);
});
