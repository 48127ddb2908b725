// Requests that share a statement: who gets which answer, when, and what happens to the others if one is invalid.
import { DatabaseError } from "pg";
import { afterEach, expect, it, vi } from "vitest";
import { Gather } from "@/server/db/hot/gather";
import type { GatherOptions } from "@/server/db/hot/gather";

interface Question {
  readonly host: string;
  readonly asks: string;
}

/** A statement that answers in capitals and records its questions. */
function desk(
  options: Partial<GatherOptions<Question>> = {},
  statement?: (questions: readonly Question[]) => Promise<readonly string[]>,
) {
  const asked: string[][] = [];
  const gather = new Gather<Question, string>(
    (questions) => {
      asked.push(questions.map(({ asks }) => asks));
      return statement?.(questions) ?? Promise.resolve(questions.map(({ asks }) => asks.toUpperCase()));
    },
    { key: ({ host }) => host, paceMs: 0, maxUnderWay: 1, ...options },
  );
  return { asked, ask: (asks: string, host = asks) => gather.ask({ host, asks }) };
}

/** A question without an answer shows as a hanging test. This is long enough here to tell it from a slow machine. */
const hangsAfterMs = 10_000;
const refusal = (): DatabaseError =>
  Object.assign(new DatabaseError("invalid input", 0, "error"), { code: "22P02" });
afterEach(() => void vi.useRealTimers());
const tick = () => new Promise((resolve) => setImmediate(resolve));

it("answers each its own, in one statement for those of a moment", async () => {
  const { ask, asked } = desk();
  expect(await Promise.all([ask("a"), ask("b"), ask("c")])).toEqual(["A", "B", "C"]);
  expect(await ask("d")).toBe("D");
  expect(asked).toEqual([["a", "b", "c"], ["d"]]);
});

it("takes what comes within the pace into the next statement, and a question after it at once", async () => {
  vi.useFakeTimers();
  const { ask, asked } = desk({ paceMs: 40 });
  const first = ask("a");
  await vi.advanceTimersByTimeAsync(0);
  expect(await first).toBe("A");
  const second = [ask("b")];
  await vi.advanceTimersByTimeAsync(39);
  second.push(ask("c"));
  expect(asked).toEqual([["a"]]);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toEqual([["a"], ["b", "c"]]);
  expect(await Promise.all(second)).toEqual(["B", "C"]);
  await vi.advanceTimersByTimeAsync(40);
  const third = ask("d");
  await vi.advanceTimersByTimeAsync(0);
  expect(await third).toBe("D");
});

it(
  "asks two of the same key one after the other, in their order",
  async () => {
    const { ask, asked } = desk();
    await Promise.all([ask("first", "h1"), ask("second", "h1"), ask("other", "h2"), ask("third", "h1")]);
    expect(asked).toEqual([["first", "other"], ["second"], ["third"]]);
  },
  hangsAfterMs,
);

it("asks no more than 64 at once", async () => {
  const { ask, asked } = desk();
  const questions = Array.from({ length: 150 }, (_, index) => `q${index}`);
  expect(await Promise.all(questions.map((question) => ask(question)))).toEqual(
    questions.map((question) => question.toUpperCase()),
  );
  expect(asked.map(({ length }) => length)).toEqual([64, 64, 22]);
});

it("lets one that the database does not take fail alone", async () => {
  const { ask, asked } = desk({}, (questions) =>
    questions.some(({ asks }) => asks === "junk")
      ? Promise.reject(refusal())
      : Promise.resolve(questions.map(({ asks }) => asks)),
  );
  const answers = await Promise.allSettled([ask("a"), ask("junk"), ask("b")]);
  expect(answers.map((answer) => (answer.status === "fulfilled" ? answer.value : "failed"))).toEqual([
    "a",
    "failed",
    "b",
  ]);
  expect(asked).toEqual([["a", "junk", "b"], ["a"], ["junk"], ["b"]]);
});

it("asks nobody again when the database is not there", async () => {
  const { ask, asked } = desk({}, () => Promise.reject(new Error("connection refused")));
  const answers = await Promise.allSettled([ask("a"), ask("b")]);
  expect(answers.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(asked).toEqual([["a", "b"]]);
});

it(
  "gives nobody the answer of another when there are too few",
  async () => {
    const { ask } = desk({}, () => Promise.resolve(["only one"]));
    expect((await Promise.allSettled([ask("a"), ask("b")])).map(({ status }) => status)).toEqual([
      "rejected",
      "rejected",
    ]);
  },
  hangsAfterMs,
);

it("does not wait for the pace when there are enough for a statement", async () => {
  const { ask, asked } = desk({ paceMs: 60_000, maxUnderWay: 2 });
  await ask("first");
  const waiting = Array.from({ length: 63 }, (_, index) => ask(`q${index}`));
  await tick();
  expect(asked).toHaveLength(1);
  waiting.push(ask("one more"));
  await Promise.all(waiting);
  expect(asked.map(({ length }) => length)).toEqual([1, 64]);
});

it("goes on beside a statement that waits, up to the limit", async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { ask, asked } = desk({ maxUnderWay: 2 }, async (questions) => {
    if (questions.some(({ asks }) => asks.startsWith("held"))) await held;
    return questions.map(({ asks }) => asks);
  });
  const waiting = [ask("held 1")];
  await tick();
  expect(await ask("quick")).toBe("quick");
  waiting.push(ask("held 2"));
  await tick();
  await tick();
  const last = ask("last");
  await tick();
  await tick();
  expect(asked).toEqual([["held 1"], ["quick"], ["held 2"]]);
  release();
  expect(await Promise.all([...waiting, last])).toEqual(["held 1", "held 2", "last"]);
});
