// The living demo notices that no machine comes back any more, and says why.
import { expect, it } from "vitest";
import type { z } from "zod";
import { Pulse } from "@/server/simulator/living/pulse";
import type { Person } from "@/server/simulator/living/people";

const minute = 60_000;

it("is alive while machines come back, and otherwise says for how long none has, and what holds them back", async () => {
  let nowMs = 0;
  let endedAt = "2026-11-28T10:00:00.000Z";
  let brakes: object[] = [];
  const answers: Record<string, () => unknown> = {
    "reclamations.list": () => ({ rows: [{ endedAt: "2026-11-28T09:00:00.000Z" }, { endedAt }] }),
    "queue.get": () => ({ brakes }),
  };
  const operator: Person = {
    read: <Schema extends z.ZodType>(name: string, _input: object | null, schema: Schema) =>
      Promise.resolve(schema.parse(answers[name]?.())),
    act: () => Promise.reject(new Error("it only looks")),
  };
  const pulse = new Pulse(() => nowMs);
  const after = async (minutes: number) => {
    nowMs += minutes * minute;
    await pulse.tick(operator);
    return pulse.trouble;
  };
  expect(await after(0)).toBeNull();
  expect(await after(9)).toBeNull();
  expect(await after(1)).toBe(
    "No machine has come back for 10 minutes. See Failures and Queue for what holds machines back.",
  );
  // A brake that only asks holds nobody back, and neither does one that was lifted.
  brakes = [
    { message: "Asks.", liftedAt: null, asks: ["r750"] },
    { message: "Lifted.", liftedAt: "2026-11-28T10:01:00.000Z", asks: [] },
    { message: "10 of 12 hosts failed.", liftedAt: null, asks: [] },
  ];
  expect(await after(5)).toBe(
    "No machine has come back for 15 minutes. A brake holds them back: 10 of 12 hosts failed. Find the cause, then lift the brake on Queue.",
  );
  endedAt = "2026-11-28T10:16:00.000Z";
  expect(await after(1)).toBeNull();
  answers["queue.get"] = () => {
    throw new Error("away");
  };
  await expect(after(11)).rejects.toThrow("away");
  expect(pulse.trouble).toBe("The demo has had no answer from the server for 11 minutes.");
  pulse.reset();
  expect(pulse.trouble).toBeNull();
});
