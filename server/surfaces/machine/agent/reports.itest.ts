// What agents report, over real HTTP on a real database: progress, results, inventory, tests and logs; and what must change nothing.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bootLogBytes } from "@/server/db/hot/agent-answer";
import {
  addHost, auditCount, executeOf, fingerprint, inventoryOf, post, progressOf, registered, resultOf, runStep, startMachineServer,
  type MachineFixture, type TestHost,
} from "@/server/surfaces/machine/testing/machine-fixture";

let fixture: MachineFixture;
beforeAll(async () => {
  fixture = await startMachineServer({ longPollMs: 600 });
});
afterAll(() => fixture.close());

const signalsOf = async (host: TestHost) => (await fixture.query<{ kind: string; payload: unknown }>("SELECT kind, payload FROM signal WHERE host_id = $1 ORDER BY id", [host.id]));
const runOf = async (host: TestHost) => (await fixture.query<Record<string, unknown>>("SELECT wake_seq::int, evidence_seq::int, due_at IS NOT NULL AS due, erasing, clean_percent, clean_message FROM host_run WHERE host_id = $1", [host.id]))[0];
const attemptOf = async (stepRunId: string) => (await fixture.query<Record<string, unknown>>("SELECT report, report_hash, sequence, progress, journal FROM step_attempt WHERE step_run_id = $1", [stepRunId]))[0];

/** Publishes again and again while `asking` is open, because a test cannot know when the server begins to wait. */
async function publishedDuring<Value>(host: TestHost, command: unknown, asking: Promise<Value>): Promise<Value> {
  const timer = setInterval(() => fixture.hub.publish(host.id, 1, command), 10);
  return asking.finally(() => clearInterval(timer));
}

describe("progress", () => {
  it("writes the first at once, raises erasing, and tells the screens", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    const { stepRunId } = await runStep(fixture, host);
    const answer = await post(fixture, `/agent/v1/step-runs/${stepRunId}/progress`, token, progressOf());
    expect(answer).toMatchObject({ status: 200, body: { abort: false } });
    expect(await attemptOf(stepRunId)).toMatchObject({ sequence: 1, progress: { percent: 10, message: "erasing", unstoppable: true } });
    expect(await runOf(host)).toMatchObject({ erasing: true, clean_percent: 10, clean_message: "erasing" });
    expect(await fixture.query("SELECT what FROM feed WHERE host_id = $1", [host.id])).toEqual([{ what: "progress" }]);
  });

  it("holds the next for up to 5 s, but not one with journal lines", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    const { stepRunId } = await runStep(fixture, host);
    const path = `/agent/v1/step-runs/${stepRunId}/progress`;
    await post(fixture, path, token, progressOf());
    await post(fixture, path, token, progressOf({ sequence: 2, percent: 20 }));
    expect(await attemptOf(stepRunId)).toMatchObject({ sequence: 1 });
    const line = { serial: `${host.serial}-D1`, model: "PM9A3", event: "about-to-send", technique: "nvme-sanitize-crypto", at: "2026-11-21T00:00:00Z" };
    await post(fixture, path, token, progressOf({ sequence: 3, percent: 30, journal: [line] }));
    expect(await attemptOf(stepRunId)).toMatchObject({ sequence: 3, journal: [line] });
  });

  it("takes the same again, and refuses an older one", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    const { stepRunId } = await runStep(fixture, host);
    const path = `/agent/v1/step-runs/${stepRunId}/progress`;
    await post(fixture, path, token, progressOf({ sequence: 5 }));
    expect((await post(fixture, path, token, progressOf({ sequence: 5 }))).status).toBe(200);
    const before = await fingerprint(fixture);
    const late = await post(fixture, path, token, progressOf({ sequence: 4, percent: 1 }));
    expect(late).toMatchObject({ status: 409, body: { code: "outOfOrder" } });
    expect(await fingerprint(fixture)).toBe(before);
  });

  it("says abort when that is the command", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    const { stepRunId } = await runStep(fixture, host);
    await fixture.query("UPDATE host_run SET command = $2 WHERE host_id = $1", [host.id, { kind: "abort", id: "a1", stepRunId, attempt: 1 }]);
    expect((await post(fixture, `/agent/v1/step-runs/${stepRunId}/progress`, token, progressOf())).body).toEqual({ abort: true });
  });
});

describe("result", () => {
  it("is kept as it came, and wakes the host", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    const { stepRunId } = await runStep(fixture, host);
    const sent = resultOf({ message: "quote \" and ünïcode" });
    expect(await post(fixture, `/agent/v1/step-runs/${stepRunId}/result`, token, sent)).toMatchObject({ status: 200, body: { command: { kind: "none" } } });
    expect(await attemptOf(stepRunId)).toMatchObject({ report: sent });
    expect((await signalsOf(host)).at(-1)).toEqual({ kind: "stepReport", payload: { stepRunId, attempt: 1 } });
    expect(await runOf(host)).toMatchObject({ wake_seq: 2, evidence_seq: 2 });
  });

  it("is idempotent by run and attempt; another one is refused and audited", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    const { stepRunId } = await runStep(fixture, host);
    const path = `/agent/v1/step-runs/${stepRunId}/result`;
    await post(fixture, path, token, resultOf());
    const before = await fingerprint(fixture);
    const { attempt, ...rest } = resultOf();
    expect((await post(fixture, path, token, { ...rest, attempt })).status).toBe(200);
    const audits = await auditCount(fixture, "agent.result");
    const other = await post(fixture, path, token, resultOf({ result: "ERROR" }));
    expect(other).toMatchObject({ status: 409, body: { code: "differentReport" } });
    expect(await auditCount(fixture, "agent.result")).toBe(audits + 1);
    expect(await fingerprint(fixture)).toBe(before);
  });

  it("stores one of two different results that come at once", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    const { stepRunId } = await runStep(fixture, host);
    const answers = await Promise.all(["a", "b", "c", "d"].map((message) => post(fixture, `/agent/v1/step-runs/${stepRunId}/result`, token, resultOf({ message }))));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409]);
    expect((await signalsOf(host)).filter((signal) => signal.kind === "stepReport")).toHaveLength(1);
  });

  it("carries the next command when it comes within 100 ms", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    const { stepRunId } = await runStep(fixture, host);
    const next = executeOf(randomUUID(), host);
    expect((await publishedDuring(host, next, post(fixture, `/agent/v1/step-runs/${stepRunId}/result`, token, resultOf()))).body.command).toEqual(next);
  });

  it("is taken from an agent that was lost, for the attempt that it was lost in, and for no other state", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    const { stepRunId } = await runStep(fixture, host);
    await fixture.query("UPDATE step_attempt SET verdict = 'lost' WHERE step_run_id = $1", [stepRunId]);
    await fixture.query("UPDATE step_run SET status = 'failed' WHERE id = $1", [stepRunId]);
    await fixture.query("UPDATE host_run SET state = 'Failed/StepTimeout', command = NULL WHERE host_id = $1", [host.id]);
    expect((await post(fixture, `/agent/v1/step-runs/${stepRunId}/result`, token, resultOf())).status).toBe(409);
    await fixture.query("UPDATE host_run SET state = 'Failed/AgentLost' WHERE host_id = $1", [host.id]);
    expect((await post(fixture, `/agent/v1/step-runs/${stepRunId}/result`, token, resultOf())).status).toBe(200);
  });
});

describe("reports that change nothing", () => {
  it.each(["progress", "result"])("%s for another host, another attempt, another boot, an unknown or finished step", async (what) => {
    const [mine, theirs] = [await addHost(fixture), await addHost(fixture)];
    const [token, foreign] = [await registered(fixture, mine), await registered(fixture, theirs)];
    const { stepRunId } = await runStep(fixture, mine);
    const body = what === "progress" ? progressOf() : resultOf();
    const path = (id: string) => `/agent/v1/step-runs/${id}/${what}`;
    const audits = await auditCount(fixture, `agent.${what}`);
    const before = await fingerprint(fixture);
    const hidden = [await post(fixture, path(stepRunId), foreign, body), await post(fixture, path(randomUUID()), token, body), await post(fixture, path(stepRunId), token, { ...body, attempt: 2 })];
    for (const answer of hidden) expect(answer).toMatchObject({ status: 404, body: { code: "unknownAttempt" } });
    expect(new Set(hidden.map(({ body: { requestId: _, ...rest } }) => JSON.stringify(rest))).size).toBe(1);
    expect(await fingerprint(fixture)).toBe(before);
    expect(await auditCount(fixture, `agent.${what}`)).toBe(audits + 3);

    await fixture.query("UPDATE step_run SET status = 'succeeded' WHERE id = $1", [stepRunId]);
    const over = await fingerprint(fixture);
    expect(await post(fixture, path(stepRunId), token, body)).toMatchObject({ status: 409, body: { code: "attemptOver" } });
    await fixture.query("UPDATE step_run SET status = 'running' WHERE id = $1", [stepRunId]);
    await fixture.query("UPDATE step_attempt SET boot_epoch = 99 WHERE step_run_id = $1", [stepRunId]);
    expect((await post(fixture, path(stepRunId), token, body)).status).toBe(404);
    await fixture.query("UPDATE step_attempt SET boot_epoch = 1 WHERE step_run_id = $1", [stepRunId]);
    await fixture.query("UPDATE step_run SET status = 'succeeded' WHERE id = $1", [stepRunId]);
    expect(await fingerprint(fixture)).toBe(over);
  });
});

describe("discovery and validation", () => {
  const tests = [{ name: "memory-pattern", result: "passed", message: "", startedAt: "2026-11-21T00:00:00Z", endedAt: "2026-11-21T00:00:01Z" }];

  it("are taken when they were asked for", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    await fixture.query("UPDATE host_run SET command = '{\"kind\":\"discover\",\"id\":\"d1\"}', command_epoch = 1 WHERE host_id = $1", [host.id]);
    const inventory = { ...inventoryOf(host), storage: [] };
    expect((await post(fixture, "/agent/v1/discovery", token, { command: "d1", inventory })).status).toBe(200);
    expect(await fixture.query("SELECT body FROM host_inventory WHERE host_id = $1 AND source = 'agent'", [host.id])).toEqual([{ body: inventory }]);
    await fixture.query("UPDATE host_run SET command = '{\"kind\":\"validate\",\"id\":\"v1\",\"tests\":[]}' WHERE host_id = $1", [host.id]);
    expect((await post(fixture, "/agent/v1/validation", token, { command: "v1", tests })).status).toBe(200);
    expect((await signalsOf(host)).slice(1)).toEqual([
      { kind: "discovery", payload: { bootEpoch: 1, command: "d1" } },
      { kind: "validation", payload: { bootEpoch: 1, command: "v1", tests } },
    ]);
  });

  it("are refused when they were not: another command, another kind, another boot", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    await fixture.query("UPDATE host_run SET command = '{\"kind\":\"discover\",\"id\":\"d1\"}', command_epoch = 1 WHERE host_id = $1", [host.id]);
    const before = await fingerprint(fixture);
    expect(await post(fixture, "/agent/v1/discovery", token, { command: "d2", inventory: inventoryOf(host) })).toMatchObject({ status: 409, body: { code: "notAsked" } });
    expect((await post(fixture, "/agent/v1/validation", token, { command: "d1", tests })).status).toBe(409);
    expect(await fingerprint(fixture)).toBe(before);
    await fixture.query("UPDATE host_run SET command_epoch = 2 WHERE host_id = $1", [host.id]);
    const moved = await fingerprint(fixture);
    expect((await post(fixture, "/agent/v1/discovery", token, { command: "d1", inventory: inventoryOf(host) })).status).toBe(409);
    expect(await fingerprint(fixture)).toBe(moved);
  });
});

describe("logs", () => {
  it("are kept once per piece, with the reclamation", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    await runStep(fixture, host);
    for (const text of ["first", "again"]) expect((await post(fixture, "/agent/v1/logs", token, { sequence: 1, text })).status).toBe(204);
    expect(await fixture.query("SELECT text, reclamation_id IS NOT NULL AS kept FROM agent_log WHERE host_id = $1", [host.id])).toEqual([{ text: "first", kept: true }]);
  });

  it("end at the quota of a boot, and say so once", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    await fixture.query(`INSERT INTO agent_log (host_id, boot_epoch, sequence, text) SELECT $1, boot_epoch, 1, repeat('x', ${bootLogBytes}) FROM agent_session WHERE host_id = $1`, [host.id]);
    for (const sequence of [2, 3]) expect((await post(fixture, "/agent/v1/logs", token, { sequence, text: "more" })).status).toBe(204);
    const kept = await fixture.query("SELECT text FROM agent_log WHERE host_id = $1 AND sequence > 1", [host.id]);
    expect(kept).toEqual([{ text: expect.stringContaining("Reclaim keeps 8 MiB") }]);
  });
});
