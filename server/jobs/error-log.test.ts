// Periodic work says an outage once a minute, and everything else each time.
import { expect, it } from "vitest";
import { errorLog } from "@/server/jobs/error-log";

it("does not repeat an outage, and repeats what is none", () => {
  const said: string[] = [];
  let now = 0;
  const log = errorLog(
    { error: () => void said.push("error"), warn: (facts: object) => void said.push(JSON.stringify(facts)) },
    "nothing was done",
    () => now,
  );
  const full = Object.assign(new Error("no space left"), { code: "53100" });
  for (let look = 0; look < 100; look += 1) {
    log(full);
    now += 500;
  }
  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(/disk is full/);
  log(Object.assign(new Error("refused"), { code: "ECONNREFUSED" }));
  expect(said).toHaveLength(2);
  now += 60_000;
  log(full);
  expect(said).toHaveLength(3);
  log(new Error("a bug"));
  log(new Error("a bug"));
  expect(said.slice(3)).toEqual(["error", "error"]);
});
