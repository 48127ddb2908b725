// Health reports over real HTTP: only with the token of their source, only for hosts of its site, and only what can be displayed.
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { newToken, tokenHash } from "@/server/domain/access/tokens";
import { machineServer } from "@/server/surfaces/machine/testing/file-fixture";
import { addHost, auditCount } from "@/server/surfaces/machine/testing/machine-rows";

const path = "/health-reports/v1/reports";
const fixture = machineServer();
const otherSiteId = randomUUID();
const tokens = { monitor: newToken(), north: newToken() };

beforeAll(async () => {
  await fixture.query("INSERT INTO site (id, name) VALUES ($1, 'south')", [otherSiteId]);
  const add = (name: string, siteId: string | null, token: string, heartbeat: number | null) =>
    fixture.query(
      "INSERT INTO health_source (id, name, site_id, hash, heartbeat_seconds, created_by) VALUES ($1, $2, $3, $4, $5, 'test')",
      [randomUUID(), name, siteId, tokenHash(token), heartbeat],
    );
  await add("monitor", null, tokens.monitor, 60);
  await add("north", fixture.siteId, tokens.north, null);
});

async function call(method: string, at: string, token: string | null, body?: unknown) {
  const response = await fetch(`${fixture.url}${at}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: text === "" ? null : (JSON.parse(text) as Record<string, unknown>),
  };
}
const post = (token: string | null, body: unknown) => call("POST", path, token, body);

const fan = { id: "FanFailed", target: "fan 1", message: "0 rpm", classifications: ["PreventAllocations"] };

describe("POST", () => {
  it("stores the report under the token's source, and blocks the host at once", async () => {
    const host = await addHost(fixture, "Manageable");
    const told = await post(tokens.monitor, { host: host.id, alerts: [fan] });
    expect(told).toEqual({ status: 200, body: { hostId: host.id, source: "monitor", health: "blocked" } });
    expect(
      await fixture.query(
        "SELECT r.health -> 'classifications' AS acts, h.source, h.heartbeat_seconds, h.silent_at > now() AS promised FROM host_run r JOIN health_report h ON h.host_id = r.host_id WHERE r.host_id = $1",
        [host.id],
      ),
    ).toEqual([{ acts: ["PreventAllocations"], source: "monitor", heartbeat_seconds: 60, promised: true }]);
    const again = await post(tokens.monitor, { host: host.id, heartbeatSeconds: null });
    expect(again.body).toMatchObject({ health: "healthy" });
    expect(await call("GET", `${path}/${host.id}`, tokens.monitor)).toMatchObject({
      status: 200,
      body: { source: "monitor", alerts: [], heartbeatSeconds: null, silentSince: null },
    });
    expect((await call("GET", `${path}/${host.id}`, tokens.north)).status).toBe(404);
  });

  it("takes no other source's name, which is logged", async () => {
    const host = await addHost(fixture, "Manageable");
    const before = await auditCount(fixture, "health.report");
    const told = await post(tokens.monitor, { host: host.id, source: "north", alerts: [fan] });
    expect(told).toMatchObject({ status: 403, body: { code: "foreignSource" } });
    expect(await auditCount(fixture, "health.report")).toBe(before + 1);
    expect((await post(tokens.monitor, { host: host.id, source: "monitor" })).status).toBe(200);
  });

  it("knows no host of another site than the token's", async () => {
    const host = await addHost(fixture, "Manageable", otherSiteId);
    expect((await post(tokens.north, { host: host.id })).body).toMatchObject({ code: "unknownHost" });
    expect((await post(tokens.monitor, { host: host.id })).status).toBe(200);
    expect((await post(tokens.north, { host: "no-such-host" })).status).toBe(404);
  });

  it.each([
    ["no token", null, { host: "x" }, 401],
    ["a token of nobody", newToken(), { host: "x" }, 401],
    ["no host", tokens.monitor, { alerts: [] }, 400],
    ["an unknown member", tokens.monitor, { host: "x", mode: "replace" }, 400],
    ["control characters", tokens.monitor, { host: "x", alerts: [{ id: "a\u0000" }] }, 400],
    ["no JSON", tokens.monitor, "{", 400],
    ["too much", tokens.monitor, { host: "x", alerts: [{ id: "a", message: "m".repeat(300_000) }] }, 413],
  ])("refuses %s in words", async (_what, token, body, status) => {
    const told = await post(token, body);
    expect(told.status).toBe(status);
    expect(String(told.body?.["detail"]).length).toBeGreaterThan(5);
  });

  it("refuses what was observed too early, too late, or before what is stored", async () => {
    const host = await addHost(fixture, "Manageable");
    const at = (ms: number) => post(tokens.monitor, { host: host.id, observedAt: new Date(Date.now() + ms) });
    expect([(await at(3_600_000)).status, (await at(-48 * 3_600_000)).status]).toEqual([400, 400]);
    expect((await at(-1_000)).status).toBe(200);
    const late = await at(-60_000);
    expect([late.status, String(late.body?.["detail"])]).toEqual([
      409,
      expect.stringContaining("newer report"),
    ]);
  });
});

it("withdraws its own report, and no other's", async () => {
  const host = await addHost(fixture, "Manageable");
  await post(tokens.monitor, { host: host.id, alerts: [fan] });
  expect((await call("DELETE", `${path}/${host.id}`, tokens.north)).status).toBe(404);
  expect((await call("DELETE", `${path}/${host.id}`, tokens.monitor)).status).toBe(204);
  expect(await fixture.query("SELECT health FROM host_run WHERE host_id = $1", [host.id])).toEqual([
    { health: null },
  ]);
});
