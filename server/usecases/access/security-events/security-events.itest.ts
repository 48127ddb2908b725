// Security events as people see and acknowledge them: who may, what is logged, what webhooks are told, and what the numbers say.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { poolOf } from "@/server/db/prisma";
import { writeSecurityEvent, type SecurityAttempt } from "@/server/db/security-events";
import { security } from "@/server/contract/access/security-events";
import { createWebhook } from "@/server/usecases/break-fix/webhooks";
import { readMetricCounts } from "@/server/usecases/fleet/metric-counts";
import { acknowledgeSecurityEvents } from "@/server/usecases/access/security-events/acknowledge";
import {
  countOpenSecurityEvents,
  getSecurityEvent,
  listSecurityEvents,
} from "@/server/usecases/access/security-events/read-events";
import type { Outcome } from "@/server/usecases/problem";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;
let host: string;
beforeAll(async () => {
  world = await createWorld();
  host = await world.host("gpu-1");
});
afterAll(() => world.stop());
beforeEach(() => poolOf(world.backend.database).query("DELETE FROM security_event"));

function must<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(outcome.problem.detail);
  return outcome.value;
}
const write = (change: Partial<SecurityAttempt> = {}) =>
  writeSecurityEvent(world.backend.database, {
    kind: "reportForged",
    hostId: host,
    address: "192.0.2.1",
    tried: "a report for another host",
    path: "POST /agent/v1/step-runs/…/result",
    ...change,
  });
const operator = () => world.actor("operator");
const list = async (query: object = {}, actor = operator()) =>
  listSecurityEvents(world.backend, actor, security.list.input.parse(query));
const acknowledge = (ids: string[], actor = operator(), note = "a test of ours") =>
  acknowledgeSecurityEvents(world.backend, actor, world.request(), { ids, note });

describe("reading", () => {
  it("is for operators, provider admins and auditors; a tenant gets nothing", async () => {
    await write();
    for (const role of ["operator", "provider-admin", "auditor"] as const)
      expect(must(await list({}, world.actor(role))).rows).toHaveLength(1);
    const id = must(await list()).rows[0]?.id ?? "";
    for (const role of ["tenant-admin", "repair-tenant-admin"] as const) {
      const actor = world.actor(role);
      for (const outcome of [
        await list({}, actor),
        await getSecurityEvent(world.backend, actor, { id }),
        await countOpenSecurityEvents(world.backend, actor),
        await acknowledge([id], actor),
      ])
        expect(outcome).toMatchObject({ ok: false, problem: { code: "forbidden" } });
    }
  });

  it("filters by kind, host by name and id, address, and open", async () => {
    const other = await world.host("gpu-2");
    await write();
    await write({ hostId: other });
    await write({ kind: "bootRequestFromOutside", hostId: null, address: "203.0.113.7" });
    const found = async (query: object) =>
      must(await list(query)).rows.map(({ kind, hostName }) => `${kind} ${hostName ?? ""}`.trim());
    expect(await found({ kind: "bootRequestFromOutside" })).toEqual(["bootRequestFromOutside"]);
    expect(await found({ host: "gpu-2" })).toEqual(["reportForged gpu-2"]);
    expect(await found({ host })).toEqual(["reportForged gpu-1"]);
    expect(await found({ address: "203.0.113.7" })).toEqual(["bootRequestFromOutside"]);
    const [first] = must(await list({ host })).rows;
    must(await acknowledge([first?.id ?? ""]));
    expect(await found({ open: true })).toHaveLength(2);
    expect(must(await countOpenSecurityEvents(world.backend, operator()))).toEqual({ open: 2, high: 1 });
  });

  it("goes on page by page, and keeps the host's name when the host is gone", async () => {
    for (let n = 0; n < 5; n += 1) await write({ address: `192.0.2.${n}` });
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { rows: readonly { address: string }[]; nextCursor: string | null } = must(
        await list({ limit: 2, cursor }),
      );
      seen.push(...page.rows.map(({ address }) => address));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen.sort()).toEqual([0, 1, 2, 3, 4].map((n) => `192.0.2.${n}`));
    await poolOf(world.backend.database).query("UPDATE security_event SET host_id = gen_random_uuid()");
    expect(must(await list()).rows[0]).toMatchObject({ hostName: "gpu-1", hostIsHere: false });
  });
});

describe("acknowledging", () => {
  it("takes a note and a name, is logged, and is not for auditors", async () => {
    await write();
    const [event] = must(await list()).rows;
    const id = event?.id ?? "";
    expect(await acknowledge([id], world.actor("auditor"))).toMatchObject({
      ok: false,
      problem: { code: "forbidden" },
    });
    const logged = () =>
      world.backend.database.auditEvent.findMany({
        where: { action: "security.acknowledge", outcome: "done", targetId: id },
      });
    expect(must(await acknowledge([id]))).toEqual({ acknowledged: 1 });
    expect(await logged()).toHaveLength(1);
    expect(must(await acknowledge([id]))).toEqual({ acknowledged: 0 });
    expect(must(await getSecurityEvent(world.backend, operator(), { id })).acknowledged).toMatchObject({
      by: operator().name,
      note: "a test of ours",
    });
    expect(await logged()).toMatchObject([
      { targetId: id, targetKind: "securityEvent", after: { hostId: host, note: "a test of ours" } },
    ]);
  });

  it("refuses all if one of them does not exist", async () => {
    await write();
    const id = must(await list()).rows[0]?.id ?? "";
    expect(await acknowledge([id, randomUUID()])).toMatchObject({ ok: false, problem: { code: "notFound" } });
    expect(must(await list({ open: true })).rows).toHaveLength(1);
  });
});

describe("a new event", () => {
  it("is sent to the provider's webhooks once, and a tenant cannot ask for it", async () => {
    const ask = (kinds: "security.event"[], actor = world.actor("provider-admin")) =>
      createWebhook(world.backend, actor, world.request(), {
        name: `w-${randomUUID()}`,
        url: "https://hooks.example/in",
        kinds,
      });
    must(await ask(["security.event"]));
    expect(await ask(["security.event"], world.actor("tenant-admin"))).toMatchObject({
      ok: false,
      problem: { code: "invalid" },
    });
    must(await ask([], world.actor("tenant-admin")));
    await write();
    await write();
    const { rows } = await poolOf(world.backend.database).query<{ body: string }>(
      "SELECT body FROM webhook_delivery WHERE kind = 'security.event'",
    );
    expect(rows.map(({ body }): unknown => JSON.parse(body))).toMatchObject([
      { type: "security.event", data: { kind: "reportForged", host: "gpu-1", address: "192.0.2.1" } },
    ]);
  });

  it("is counted by kind while nobody has acknowledged it", async () => {
    await write();
    const counts = async () =>
      (await readMetricCounts(poolOf(world.backend.database))).securityEvents.filter(
        ({ events }) => events > 0,
      );
    expect(await counts()).toEqual([{ kind: "reportForged", severity: "high", events: 1 }]);
    must(await acknowledge([must(await list()).rows[0]?.id ?? ""]));
    expect(await counts()).toEqual([]);
  });
});
