// Security events on a real database: repeats are merged, noise is bounded and hides nothing, and each new event is audited once.
import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createDatabase } from "@/server/db/prisma";
import type { Database } from "@/server/db/prisma";
import { pruneRecords } from "@/server/db/retention";
import {
  flushSecurityEvents,
  recordSecurityEvent,
  writeSecurityEvent,
  type SecurityAttempt,
} from "@/server/db/security-events";
import { createTestDatabase } from "@/server/db/testing/test-database";
import type { TestDatabase } from "@/server/db/testing/test-database";
import { keptTries, ownAddresses, ownHosts } from "@/server/domain/access/security-events/kinds";

const host = randomUUID();
const site = randomUUID();
let given: TestDatabase;
let client: Client;
let database: Database;

beforeAll(async () => {
  given = await createTestDatabase();
  client = new Client({ connectionString: given.url });
  client.on("error", () => undefined);
  await client.connect();
  database = createDatabase(given.url, { max: 4, applicationName: "security events test" });
  await client.query("INSERT INTO site (id, name) VALUES ($1, 'here')", [site]);
  await addHost(host, "h");
});
beforeEach(async () => {
  await client.query("DELETE FROM security_event");
});
afterAll(async () => {
  await database.$disconnect();
  await client.end();
  await given.drop();
});

const addHost = (id: string, name: string) =>
  client.query("INSERT INTO host (id, name, site_id, hardware_type) VALUES ($1, $2, $3, 'redfish')", [
    id,
    name,
    site,
  ]);

const attempt = (change: Partial<SecurityAttempt> = {}): SecurityAttempt => ({
  kind: "reportForged",
  hostId: host,
  address: "192.0.2.1",
  tried: "a report for a step of another host",
  path: "POST /agent/v1/result",
  ...change,
});
const record = (change: Partial<SecurityAttempt> = {}) => writeSecurityEvent(database, attempt(change));
const rows = async () =>
  (await client.query("SELECT * FROM security_event ORDER BY first_at, address, acknowledged_at")).rows;
const audited = async () =>
  (await client.query("SELECT * FROM audit_event WHERE action = 'security.event' ORDER BY at")).rows;

it("merges what repeats within the hour, also at the same moment, and audits it once", async () => {
  const before = (await audited()).length;
  await Promise.all(Array.from({ length: 8 }, () => record()));
  await record({ tried: "another result for an attempt that has one", count: 3 });
  const [row, ...more] = await rows();
  expect(more).toEqual([]);
  expect(row).toMatchObject({
    kind: "reportForged",
    host_id: host,
    host_name: "h",
    site_id: site,
    address: "192.0.2.1",
    others: null,
    count: "11",
    tried: ["a report for a step of another host", "another result for an attempt that has one"],
    paths: ["POST /agent/v1/result"],
    acknowledged_at: null,
  });
  const events = (await audited()).slice(before);
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({
    target_id: host,
    address: "192.0.2.1",
    outcome: "refused",
    after: { kind: "reportForged", path: "POST /agent/v1/result" },
  });
});

it("keeps kinds, hosts, addresses and hours apart", async () => {
  const other = randomUUID();
  await addHost(other, `h-${other}`);
  await record();
  await record({ kind: "agentCallRefused" });
  await record({ hostId: other });
  await record({ hostId: null });
  await record({ address: "192.0.2.2" });
  await client.query(
    "UPDATE security_event SET hour = hour - interval '1 hour', merge_key = merge_key || ' before' WHERE address = '192.0.2.1'",
  );
  await record();
  expect(await rows()).toHaveLength(6);
});

it("takes a repeat of an acknowledged event for a new one", async () => {
  await record();
  await client.query("UPDATE security_event SET acknowledged_at = now(), acknowledged_by = 'somebody'");
  await record();
  await record();
  expect((await rows()).map((row) => [row.count, row.acknowledged_by])).toEqual([
    ["1", "somebody"],
    ["2", null],
  ]);
});

it("counts addresses beyond the first few of a host in one event, which hides none of another kind or host", async () => {
  for (let n = 0; n < ownAddresses + 5; n += 1) await record({ address: `198.51.100.${n}` });
  await record({ address: "198.51.100.0" });
  await record({ address: "203.0.113.9", kind: "eraseVoided" });
  await record({ address: "203.0.113.9", hostId: null });
  const all = await rows();
  expect(all).toHaveLength(ownAddresses + 3);
  expect(all.filter((row) => row.others === "addresses")).toMatchObject([{ host_id: host, count: "5" }]);
  expect(all.find((row) => row.address === "198.51.100.0")).toMatchObject({ count: "2" });
  expect(all.filter((row) => row.address === "203.0.113.9")).toHaveLength(2);
});

it("counts hosts beyond the first many of an address in one event, which hides no other address", async () => {
  const hosts = Array.from({ length: ownHosts + 3 }, () => randomUUID());
  await client.query(
    "INSERT INTO host (id, name, site_id, hardware_type) SELECT u, 'many-' || u, $2, 'redfish' FROM unnest($1::uuid[]) u",
    [hosts, site],
  );
  for (const hostId of hosts) await record({ hostId, address: "192.0.2.66" });
  const last = hosts.at(-1) ?? null;
  await record({ hostId: last, address: "192.0.2.67" });
  const all = await rows();
  expect(all).toHaveLength(ownHosts + 2);
  expect(all.filter((row) => row.others === "hosts")).toMatchObject([
    { host_id: null, host_name: null, address: "192.0.2.66", count: "3" },
  ]);
  expect(all.filter((row) => row.host_id === last)).toMatchObject([{ address: "192.0.2.67", others: null }]);
});

it("keeps a bounded number of short texts, and no NUL", async () => {
  for (let n = 0; n < keptTries + 4; n += 1)
    await record({ tried: `\0${"x".repeat(5_000)}`.slice(0, 5 + n) });
  const [row] = await rows();
  expect(row.tried).toHaveLength(keptTries);
  expect(row.tried[0]).toBe("xxxx");
  await record({ hostId: null, tried: "y".repeat(5_000) });
  expect((await rows()).at(-1).tried[0]).toHaveLength(400);
});

it("removes acknowledged events in time, and those that nobody acknowledged much later", async () => {
  await record({ address: "1" });
  await record({ address: "2" });
  await record({ address: "3" });
  await client.query(
    "UPDATE security_event SET acknowledged_at = now(), acknowledged_by = 'somebody' WHERE address = '1'",
  );
  await client.query(
    "UPDATE security_event SET last_at = now() - CASE WHEN address = '3' THEN 361 ELSE 91 END * interval '1 day'",
  );
  expect((await pruneRecords(database, 90)).get("security events")).toBe(2);
  expect((await rows()).map((row) => row.address)).toEqual(["2"]);
});

it("writes the first of a flood at once and the repeats together", async () => {
  for (let n = 0; n < 50; n += 1) await recordSecurityEvent(database, attempt());
  await recordSecurityEvent(database, attempt({ address: "192.0.2.2" }));
  expect((await rows()).map((row) => row.count)).toEqual(["1", "1"]);
  await flushSecurityEvents();
  expect((await rows()).map((row) => row.count)).toEqual(["50", "1"]);
});
