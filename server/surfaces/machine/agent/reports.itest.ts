// What agents report over real HTTP on a real database: progress, results, inventory, tests and logs, and what must not change anything.
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { bootLogBytes } from "@/server/db/hot/agent/answer";
import { publishedDuring, runOf, signalsOf } from "@/server/surfaces/machine/agent/testing/stored";
import { machineServer } from "@/server/surfaces/machine/testing/file-fixture";
import { post } from "@/server/surfaces/machine/testing/machine-fixture";
import { addHost, auditCount, fingerprint } from "@/server/surfaces/machine/testing/machine-rows";
import {
  executeOf,
  inventoryOf,
  progressOf,
  registered,
  resultOf,
  runStep,
} from "@/server/surfaces/machine/testing/agent-session";

const fixture = machineServer({ longPollMs: 600 });

const attemptOf = async (stepRunId: string) =>
  (
    await fixture.query<Record<string, unknown>>(
      "SELECT report, report_hash, sequence, progress, journal FROM step_attempt WHERE step_run_id = $1",
      [stepRunId],
    )
  )[0];

describe("progress", () => {
  it("writes the first at once, raises erasing, and tells the screens", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    const { stepRunId } = await runStep(fixture, host);
    const answer = await post(fixture, `/agent/v1/step-runs/${stepRunId}/progress`, token, progressOf());
    expect(answer).toMatchObject({ status: 200, body: { abort: false } });
    expect(await attemptOf(stepRunId)).toMatchObject({
      sequence: 1,
      progress: { percent: 10, message: "erasing", unstoppable: true },
    });
    expect(await runOf(fixture, host)).toMatchObject({
      erasing: true,
      clean_percent: 10,
      clean_message: "erasing",
    });
    expect(await fixture.query("SELECT what FROM feed WHERE host_id = $1", [host.id])).toEqual([
      { what: "progress" },
    ]);
  });

  /** By serial, in ms from now; null: unknown. */
  const endsOf = async (stepRunId: string) => {
    const rows = await fixture.query<{ serial: string; in_ms: number | null }>(
      "SELECT e.key AS serial, (e.value #>> '{}')::float8 - extract(epoch FROM now())::float8 * 1000 AS in_ms FROM step_attempt a, jsonb_each(a.erase_ends) e WHERE a.step_run_id = $1",
      [stepRunId],
    );
    return new Map(rows.map(({ serial, in_ms }) => [serial, in_ms]));
  };

  it("is anchored drive by drive when it comes, and no clock of an agent's counts", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    const { stepRunId } = await runStep(fixture, host);
    const path = `/agent/v1/step-runs/${stepRunId}/progress`;
    const drive = (serial: string, told: Record<string, unknown>) => ({
      serial,
      percent: 10,
      status: "SPROG 1",
      ...told,
    });
    const first = [
      drive("A", { remainingMs: 3 * 3_600_000 }),
      drive("B", { remainingMs: null }),
      drive("C", {}),
      drive("D", { remainingMs: 1e300 }),
    ];
    expect((await post(fixture, path, token, progressOf({ devices: first }))).status).toBe(200);
    const told = await endsOf(stepRunId);
    expect(told.get("A")).toBeGreaterThan(3 * 3_600_000 - 60_000);
    expect(told.get("A")).toBeLessThanOrEqual(3 * 3_600_000);
    expect([told.get("B"), told.get("C")]).toEqual([null, null]);
    expect(told.get("D")).toBeLessThanOrEqual(30 * 86_400_000);
    // A report about another drive shortens nothing.
    await post(
      fixture,
      path,
      token,
      progressOf({
        sequence: 2,
        devices: [drive("B", { remainingMs: 1_000 })],
        journal: [
          {
            serial: "B",
            model: "M",
            event: "sent",
            technique: "nvme-sanitize-block",
            at: "2026-11-21T00:00:00Z",
          },
        ],
      }),
    );
    const later = await endsOf(stepRunId);
    expect(later.get("A")).toBeGreaterThan(3 * 3_600_000 - 60_000);
    expect(later.get("B")).toBeLessThanOrEqual(1_000);
  });

  it("is progress only where a number has changed", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    const { stepRunId } = await runStep(fixture, host);
    const line = (at: string) => [
      { serial: "A", model: "M", event: "observed", technique: "nvme-sanitize-block", at },
    ];
    const send = (sequence: number, remainingMs: number) =>
      post(
        fixture,
        `/agent/v1/step-runs/${stepRunId}/progress`,
        token,
        progressOf({
          sequence,
          devices: [{ serial: "A", percent: 10, status: `look ${sequence}`, remainingMs }],
          journal: line(`2026-11-21T00:00:0${sequence}Z`),
        }),
      );
    const movedAt = async () =>
      (
        await fixture.query<{ moved_at: Date | null }>(
          "SELECT moved_at FROM step_attempt WHERE step_run_id = $1",
          [stepRunId],
        )
      )[0]?.moved_at?.getTime();
    await send(1, 5_000);
    const first = await movedAt();
    await send(2, 5_000);
    expect(await movedAt()).toBe(first);
    await send(3, 4_000);
    expect(await movedAt()).toBeGreaterThan(first ?? Infinity);
  });

  it("holds the next for up to 5 s, but not one with journal lines", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    const { stepRunId } = await runStep(fixture, host);
    const path = `/agent/v1/step-runs/${stepRunId}/progress`;
    await post(fixture, path, token, progressOf());
    await post(fixture, path, token, progressOf({ sequence: 2, percent: 20 }));
    expect(await attemptOf(stepRunId)).toMatchObject({ sequence: 1 });
    const line = {
      serial: `${host.serial}-D1`,
      model: "PM9A3",
      event: "about-to-send",
      technique: "nvme-sanitize-crypto",
      at: "2026-11-21T00:00:00Z",
    };
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
    await fixture.query("UPDATE host_run SET command = $2 WHERE host_id = $1", [
      host.id,
      { kind: "abort", id: "a1", stepRunId, attempt: 1 },
    ]);
    expect(
      (await post(fixture, `/agent/v1/step-runs/${stepRunId}/progress`, token, progressOf())).body,
    ).toEqual({ abort: true });
  });
});

describe("result", () => {
  it("is kept as it came, and wakes the host", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    const { stepRunId } = await runStep(fixture, host);
    const sent = resultOf({ message: 'quote " and ünïcode' });
    expect(await post(fixture, `/agent/v1/step-runs/${stepRunId}/result`, token, sent)).toMatchObject({
      status: 200,
      body: { command: { kind: "none" } },
    });
    expect(await attemptOf(stepRunId)).toMatchObject({ report: sent });
    expect((await signalsOf(fixture, host)).at(-1)).toEqual({
      kind: "stepReport",
      payload: { stepRunId, attempt: 1 },
    });
    expect(await runOf(fixture, host)).toMatchObject({ wake_seq: 2, evidence_seq: 2 });
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
    const answers = await Promise.all(
      ["a", "b", "c", "d"].map((message) =>
        post(fixture, `/agent/v1/step-runs/${stepRunId}/result`, token, resultOf({ message })),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409]);
    expect((await signalsOf(fixture, host)).filter((signal) => signal.kind === "stepReport")).toHaveLength(1);
  });

  it("carries the next command when it comes within 100 ms", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    const { stepRunId } = await runStep(fixture, host);
    const next = executeOf(randomUUID(), host);
    expect(
      (
        await publishedDuring(
          fixture,
          host,
          next,
          post(fixture, `/agent/v1/step-runs/${stepRunId}/result`, token, resultOf()),
        )
      ).body.command,
    ).toEqual(next);
  });

  const lostAttempt = async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    const { stepRunId } = await runStep(fixture, host);
    await fixture.query("UPDATE step_attempt SET verdict = 'lost' WHERE step_run_id = $1", [stepRunId]);
    await fixture.query("UPDATE step_run SET status = 'planned' WHERE id = $1", [stepRunId]);
    await fixture.query(
      "UPDATE host_run SET state = 'WaitingForCleanup/BootingAgent', command = NULL WHERE host_id = $1",
      [host.id],
    );
    return {
      host,
      stepRunId,
      bring: () => post(fixture, `/agent/v1/step-runs/${stepRunId}/result`, token, resultOf()),
    };
  };

  it("is taken from an agent that was lost, for the attempt that it was lost in, wherever the host waits since", async () => {
    const { host, stepRunId, bring } = await lostAttempt();
    expect((await bring()).status).toBe(200);
    expect(await attemptOf(stepRunId)).toMatchObject({ report: resultOf() });
    expect((await signalsOf(fixture, host)).at(-1)).toMatchObject({ kind: "stepReport" });
  });

  it.each([
    ["attempt", "UPDATE step_run SET attempt = 2 WHERE host_id = $1"],
    ["plan", "UPDATE reclamation SET plan_epoch = 2 WHERE host_id = $1"],
    ["boot", "UPDATE host_run SET boot_epoch = boot_epoch + 1 WHERE host_id = $1"],
    ["end of the reclamation", "UPDATE reclamation SET ended_at = now() WHERE host_id = $1"],
  ])("is refused for good once another %s has taken its place", async (_what, change) => {
    const { host, bring } = await lostAttempt();
    await fixture.query(change, [host.id]);
    expect(await bring()).toMatchObject({ status: 409, body: { code: "attemptOver" } });
  });
});

describe("reports that change nothing", () => {
  it.each(["progress", "result"])(
    "%s for another host, another attempt, another boot, an unknown or finished step",
    async (what) => {
      const [mine, theirs] = [await addHost(fixture), await addHost(fixture)];
      const [token, foreign] = [await registered(fixture, mine), await registered(fixture, theirs)];
      const { stepRunId } = await runStep(fixture, mine);
      const body = what === "progress" ? progressOf() : resultOf();
      const path = (id: string) => `/agent/v1/step-runs/${id}/${what}`;
      const audits = await auditCount(fixture, `agent.${what}`);
      const before = await fingerprint(fixture);
      const hidden = [
        await post(fixture, path(stepRunId), foreign, body),
        await post(fixture, path(randomUUID()), token, body),
        await post(fixture, path(stepRunId), token, { ...body, attempt: 2 }),
      ];
      for (const answer of hidden)
        expect(answer).toMatchObject({ status: 404, body: { code: "unknownAttempt" } });
      expect(new Set(hidden.map(({ body: { requestId: _, ...rest } }) => JSON.stringify(rest))).size).toBe(1);
      expect(await fingerprint(fixture)).toBe(before);
      expect(await auditCount(fixture, `agent.${what}`)).toBe(audits + 3);

      await fixture.query("UPDATE step_run SET status = 'succeeded' WHERE id = $1", [stepRunId]);
      const over = await fingerprint(fixture);
      expect(await post(fixture, path(stepRunId), token, body)).toMatchObject({
        status: 409,
        body: { code: "attemptOver" },
      });
      await fixture.query("UPDATE step_run SET status = 'running' WHERE id = $1", [stepRunId]);
      await fixture.query("UPDATE step_attempt SET boot_epoch = 99 WHERE step_run_id = $1", [stepRunId]);
      expect((await post(fixture, path(stepRunId), token, body)).status).toBe(404);
      await fixture.query("UPDATE step_attempt SET boot_epoch = 1 WHERE step_run_id = $1", [stepRunId]);
      await fixture.query("UPDATE step_run SET status = 'succeeded' WHERE id = $1", [stepRunId]);
      expect(await fingerprint(fixture)).toBe(over);
    },
  );
});

describe("discovery and validation", () => {
  const tests = [
    {
      name: "memory-pattern",
      result: "passed",
      message: "",
      startedAt: "2026-11-21T00:00:00Z",
      endedAt: "2026-11-21T00:00:01Z",
    },
  ];

  it("are taken when they were asked for", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    await fixture.query(
      'UPDATE host_run SET command = \'{"kind":"discover","id":"d1"}\', command_epoch = 1 WHERE host_id = $1',
      [host.id],
    );
    const inventory = { ...inventoryOf(host), storage: [] };
    expect((await post(fixture, "/agent/v1/discovery", token, { command: "d1", inventory })).status).toBe(
      200,
    );
    expect(
      await fixture.query("SELECT body FROM host_inventory WHERE host_id = $1 AND source = 'agent'", [
        host.id,
      ]),
    ).toEqual([{ body: inventory }]);
    await fixture.query(
      'UPDATE host_run SET command = \'{"kind":"validate","id":"v1","tests":[]}\' WHERE host_id = $1',
      [host.id],
    );
    expect((await post(fixture, "/agent/v1/validation", token, { command: "v1", tests })).status).toBe(200);
    expect((await signalsOf(fixture, host)).slice(1)).toEqual([
      { kind: "discovery", payload: { bootEpoch: 1, command: "d1" } },
      { kind: "validation", payload: { bootEpoch: 1, command: "v1", tests } },
    ]);
  });

  it("are refused when they were not: another command, another kind, another boot", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    await fixture.query(
      'UPDATE host_run SET command = \'{"kind":"discover","id":"d1"}\', command_epoch = 1 WHERE host_id = $1',
      [host.id],
    );
    const before = await fingerprint(fixture);
    expect(
      await post(fixture, "/agent/v1/discovery", token, { command: "d2", inventory: inventoryOf(host) }),
    ).toMatchObject({ status: 409, body: { code: "notAsked" } });
    expect((await post(fixture, "/agent/v1/validation", token, { command: "d1", tests })).status).toBe(409);
    expect(await fingerprint(fixture)).toBe(before);
    await fixture.query("UPDATE host_run SET command_epoch = 2 WHERE host_id = $1", [host.id]);
    const moved = await fingerprint(fixture);
    expect(
      (await post(fixture, "/agent/v1/discovery", token, { command: "d1", inventory: inventoryOf(host) }))
        .status,
    ).toBe(409);
    expect(await fingerprint(fixture)).toBe(moved);
  });
});

describe("logs", () => {
  it("are kept once per piece, with the reclamation", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    await runStep(fixture, host);
    for (const text of ["first", "again"])
      expect((await post(fixture, "/agent/v1/logs", token, { sequence: 1, text })).status).toBe(204);
    expect(
      await fixture.query(
        "SELECT text, reclamation_id IS NOT NULL AS kept FROM agent_log WHERE host_id = $1",
        [host.id],
      ),
    ).toEqual([{ text: "first", kept: true }]);
  });

  it("end at the quota of a boot, and say so once", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    await fixture.query(
      `INSERT INTO agent_log (host_id, boot_epoch, sequence, text) SELECT $1, boot_epoch, 1, repeat('x', ${bootLogBytes}) FROM agent_session WHERE host_id = $1`,
      [host.id],
    );
    for (const sequence of [2, 3])
      expect((await post(fixture, "/agent/v1/logs", token, { sequence, text: "more" })).status).toBe(204);
    const kept = await fixture.query("SELECT text FROM agent_log WHERE host_id = $1 AND sequence > 1", [
      host.id,
    ]);
    expect(kept).toEqual([{ text: expect.stringContaining("Reclaim keeps 8 MiB") }]);
  });
});
