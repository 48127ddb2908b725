// Held progress: written when it is due, at the latest when the process stops, and never after the result.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { askedBy } from "@/server/agents/calls";
import { ProgressWriter } from "@/server/agents/progress-writer";
import { tokenHash } from "@/server/domain/access/tokens";
import {
  post,
  startMachineServer,
  type MachineFixture,
} from "@/server/surfaces/machine/testing/machine-fixture";
import { addHost } from "@/server/surfaces/machine/testing/machine-rows";
import {
  progressOf,
  registered,
  resultOf,
  runStep,
  type RunningStep,
} from "@/server/surfaces/machine/testing/agent-session";

let fixture: MachineFixture;
let step: RunningStep;
let token: string;
let now = 0;
let writer: ProgressWriter;
beforeAll(async () => {
  fixture = await startMachineServer();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  const host = await addHost(fixture);
  token = await registered(fixture, host);
  step = await runStep(fixture, host);
  now = 0;
  writer = new ProgressWriter(
    fixture.pool,
    () => now,
    (error) => {
      throw error;
    },
  );
});

const by = (text: string) => askedBy({ token: tokenHash(text), address: "127.0.0.1" }, "http://reclaim.test");
const put = (sequence: number, change: Partial<ReturnType<typeof progressOf>> = {}) =>
  writer.put(by(token), step.stepRunId, progressOf({ sequence, percent: sequence, ...change }));
const written = async () =>
  (
    await fixture.query<{ sequence: number }>("SELECT sequence FROM step_attempt WHERE step_run_id = $1", [
      step.stepRunId,
    ])
  )[0]?.sequence;

it("writes the newest of what is held once 5 s have gone by", async () => {
  await put(1);
  expect((await put(2)).kind).toBe("held");
  expect((await put(3)).kind).toBe("held");
  now = 4_999;
  await writer.flush(false);
  expect(await written()).toBe(1);
  now = 5_000;
  await writer.flush(false);
  expect(await written()).toBe(3);
  now = 10_000;
  expect((await put(4)).kind).toBe("written");
});

it("writes what it holds when the process stops", async () => {
  await put(1);
  await put(2);
  await writer.close();
  expect(await written()).toBe(2);
});

it("does not hold a change of what may not be interrupted", async () => {
  await put(1, { unstoppable: false });
  expect((await put(2, { unstoppable: true })).kind).toBe("written");
  expect(
    await fixture.query(
      "SELECT erasing FROM host_run r JOIN step_run s ON s.host_id = r.host_id WHERE s.id = $1",
      [step.stepRunId],
    ),
  ).toEqual([{ erasing: true }]);
  expect((await put(3, { unstoppable: false })).kind).toBe("written");
  expect(
    await fixture.query(
      "SELECT erasing FROM host_run r JOIN step_run s ON s.host_id = r.host_id WHERE s.id = $1",
      [step.stepRunId],
    ),
  ).toEqual([{ erasing: true }]);
});

it("writes nothing over a result", async () => {
  await put(1);
  await put(2);
  expect(
    (await post(fixture, `/agent/v1/step-runs/${step.stepRunId}/result`, token, resultOf())).status,
  ).toBe(200);
  await writer.close();
  expect(await written()).toBe(1);
});

it("refuses a token that is nobody's", async () => {
  expect((await writer.put(by("nobody"), step.stepRunId, progressOf())).kind).toBe("unauthorized");
});
