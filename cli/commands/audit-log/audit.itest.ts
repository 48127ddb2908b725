// The audit log from a shell: a filter without matches must not read the whole log.
import { afterAll, beforeAll, expect, it } from "vitest";
import { exitCodes } from "@/cli/exit-codes";
import { startAgainstServer, type AgainstServer } from "@/cli/testing/against-server";
import { maxSearched } from "@/server/usecases/audit-log/list-audit";

let server: AgainstServer["server"];
let command: AgainstServer["command"];
let stop: AgainstServer["stop"];
let token = "";
beforeAll(async () => {
  ({ server, command, stop } = await startAgainstServer());
  token = await server.token("auditor");
  await server.world.backend.database.$executeRaw`
    INSERT INTO audit_event (id, at, actor_kind, actor_name, action, outcome)
    SELECT gen_random_uuid(), '2026-11-01T00:00:00Z'::timestamptz - n * interval '1 second', 'person', CASE WHEN n > ${maxSearched} THEN 'Ada' ELSE 'Bob' END, 'host.retry', 'done'
    FROM generate_series(1, ${maxSearched + 5}) n`;
});
afterAll(() => stop());
const list = (...args: string[]) =>
  command.run(["audit", "list", "--utc", ...args], { url: server.url, token });

it("stops after a number of events, says where, and goes on from there", async () => {
  const first = await list("--by", "Ada", "--until", "2026-11-01T00:00:00Z");
  expect([first.code, first.stdout]).toEqual([exitCodes.ok.code, ""]);
  expect(first.stderr).toContain("Searched 50,000 events, back to 2026-10-31 10:06:40Z.");
  const [, until = ""] = /--until (\S+) continues from there/.exec(first.stderr) ?? [];
  const second = await list("--by", "Ada", "--until", until, "-o", "json");
  expect(JSON.parse(second.stdout)).toHaveLength(5);
  expect(second.stderr).toBe("");
});

it("reads to the end for a script, which sees no message", async () => {
  const whole = await list("--by", "Ada", "--until", "2026-11-01T00:00:00Z", "-o", "json");
  expect([whole.code, whole.stderr]).toEqual([exitCodes.ok.code, ""]);
  expect(JSON.parse(whole.stdout)).toHaveLength(5);
  const two = await list("--by", "Ada", "--until", "2026-11-01T00:00:00Z", "-o", "yaml", "--limit", "2");
  expect(two.stdout.match(/host\.retry/g)).toHaveLength(2);
});

it("reads on without a stop where nothing is left out", async () =>
  expect(
    (await list("--by", "nobody", "--since", "2026-10-31T12:00:00Z", "--until", "2026-11-01T00:00:00Z"))
      .stderr,
  ).toBe("No events.\n"));

it("finds a part of a text in the facts, whatever its case, and what was done at a site", async () => {
  const { database } = server.world.backend;
  const [site] = await database.site.findMany({ take: 1, orderBy: { name: "asc" } });
  if (site === undefined) throw new Error("no site");
  await database.$executeRaw`
    INSERT INTO audit_event (id, at, actor_kind, actor_name, action, target_kind, target_id, outcome, after) VALUES
      (gen_random_uuid(), '2026-11-02T00:00:00Z', 'person', 'Eva', 'site.apply', 'site', ${site.id}, 'done', '{"reason": "Wrong 100% rack"}'),
      (gen_random_uuid(), '2026-11-02T00:00:01Z', 'person', 'Eva', 'site.apply', 'site', gen_random_uuid()::text, 'done', '{"reason": "another"}')`;
  const found = async (...args: string[]) => {
    const { stdout } = await list(
      "--since",
      "2026-11-02T00:00:00Z",
      "--until",
      "2026-11-03T00:00:00Z",
      "-o",
      "json",
      ...args,
    );
    const rows: unknown = JSON.parse(stdout);
    return Array.isArray(rows) ? rows.length : rows;
  };
  expect(await found()).toBe(2);
  expect(await found("--text", "wrong 100% RACK")).toBe(1);
  expect(await found("--text", "wrong 100_ rack")).toBe(0);
  expect(await found("--site", site.name)).toBe(1);
  expect(await found("--site", site.id)).toBe(1);
  expect(await found("--site", "nowhere")).toBe(0);
});
