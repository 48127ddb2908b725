// What an agent may ask the server to store: valid in form, but too much. Each is refused with a 4xx, and nothing is changed.
import { expect, it } from "vitest";
import { machineServer } from "@/server/surfaces/machine/testing/file-fixture";
import { post } from "@/server/surfaces/machine/testing/machine-fixture";
import { addHost, fingerprint, openWindow } from "@/server/surfaces/machine/testing/machine-rows";
import {
  bootTokenOf,
  progressOf,
  registerBodyOf,
  registered,
  resultOf,
  runStep,
} from "@/server/surfaces/machine/testing/agent-session";

const fixture = machineServer({ longPollMs: 100 });

it("takes no number that the database has no room for", async () => {
  const host = await addHost(fixture);
  const token = await registered(fixture, host);
  const { stepRunId } = await runStep(fixture, host);
  const path = `/agent/v1/step-runs/${stepRunId}`;
  const before = await fingerprint(fixture);
  for (const big of [2_147_483_648, 9_007_199_254_740_991]) {
    for (const [to, body] of [
      [`${path}/progress`, progressOf({ sequence: big })],
      [`${path}/progress`, progressOf({ attempt: big })],
      [`${path}/result`, resultOf({ attempt: big })],
      ["/agent/v1/logs", { sequence: big, text: "x" }],
    ] as const) {
      expect(await post(fixture, to, token, body)).toMatchObject({ status: 400, body: { code: "invalid" } });
    }
  }
  expect(await fingerprint(fixture)).toEqual(before);
});

it("answers every one of many registrations at one moment, and none with a fault of its own", async () => {
  const host = await addHost(fixture);
  await openWindow(fixture, host);
  const bootToken = await bootTokenOf(fixture, host);
  const answers = await Promise.all(
    Array.from({ length: 24 }, () => post(fixture, "/agent/v1/register", bootToken, registerBodyOf(host))),
  );
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  expect(answers.some(({ status }) => status === 200)).toBe(true);
});

it("takes a journal of one attempt up to its limit, and its result always", { tags: "all" }, async () => {
  const host = await addHost(fixture);
  const token = await registered(fixture, host);
  const { stepRunId } = await runStep(fixture, host);
  const path = `/agent/v1/step-runs/${stepRunId}`;
  // Random letters, so that compression does not shrink it.
  await fixture.query(
    "UPDATE step_attempt SET journal = (SELECT jsonb_agg(jsonb_build_object('status', md5(random()::text))) FROM generate_series(1, 200000)) WHERE step_run_id = $1",
    [stepRunId],
  );
  const line = {
    serial: `${host.serial}-D1`,
    model: "PM9A3",
    event: "sent",
    technique: "nvme-sanitize-crypto",
    at: "2026-11-21T00:00:00Z",
  };
  const before = await fingerprint(fixture);
  expect(await post(fixture, `${path}/progress`, token, progressOf({ journal: [line] }))).toMatchObject({
    status: 413,
    body: { code: "journalFull" },
  });
  expect(await fingerprint(fixture)).toEqual(before);
  expect(await post(fixture, `${path}/progress`, token, progressOf({ journal: [] }))).toMatchObject({
    status: 200,
  });
  expect(await post(fixture, `${path}/result`, token, resultOf({ journal: [line] }))).toMatchObject({
    status: 200,
  });
});
