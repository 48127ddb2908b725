// Which of the known durations of a step is used.
import { expect, it } from "vitest";
import { nearest, type PastDuration } from "@/server/usecases/cleaning/step-durations";

it("a host's own runs come before its drives' models, and those before its SKU's", () => {
  const known = (...rows: readonly (readonly [number, PastDuration["basis"]])[]) =>
    new Map(rows.map(([index, basis]): [number, PastDuration] => [index, { basis, medianMs: 1, runs: 1 }]));
  const past = known([0, "host"], [1, "sku"], [2, "sku"]);
  const models = known([0, "model"], [1, "model"], [3, "model"]);
  expect([...nearest(past, models)].map(([index, { basis }]) => [index, basis])).toEqual([
    [0, "host"],
    [1, "model"],
    [2, "sku"],
    [3, "model"],
  ]);
});
