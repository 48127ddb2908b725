// An outage is told of while it lasts, and no longer; its log line comes once.
import { expect, it } from "vitest";
import { OutageMemory } from "@/server/controller/loop/outage-memory";

const cut = { message: "the database cannot be reached", endsWith: "answer" } as const;
const full = { message: "the database's disk is full", endsWith: "write" } as const;
function memory() {
  const clock = { now: 0 };
  return { clock, outages: new OutageMemory(() => clock.now) };
}

it("is over with the first answer, where the connection was lost", () => {
  const { outages } = memory();
  expect(outages.message).toBeNull();
  outages.met(cut);
  expect(outages.message).toBe(cut.message);
  outages.answered();
  expect(outages.message).toBeNull();
});

it("is not over with an answer, where the database refuses to write, but with the first decision that it stores", () => {
  const { outages } = memory();
  outages.met(full);
  outages.answered();
  expect(outages.message).toBe(full.message);
  outages.stored();
  expect(outages.message).toBeNull();
});

it("is over when nothing has shown it for a while", () => {
  const { outages, clock } = memory();
  outages.met(full);
  clock.now = 9_999;
  expect(outages.message).toBe(full.message);
  clock.now = 10_000;
  expect(outages.message).toBeNull();
});

it("comes back with the next error, and is logged once however often it does within a while", () => {
  const { outages, clock } = memory();
  expect(outages.met(cut)).toBe(true);
  outages.answered();
  expect(outages.met(cut)).toBe(false);
  expect(outages.message).toBe(cut.message);
  expect(outages.met(full)).toBe(true);
  clock.now = 10_000;
  expect(outages.met(full)).toBe(true);
});
