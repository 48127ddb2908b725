// `reclaim site` against a real server over HTTP: exporting, comparing, applying and restoring a document, with no secret in any output.
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { authorityForTests } from "@/server/hardware/http/testing/self-signed";
import { exitCodes } from "@/cli/exit-codes";
import { startAgainstServer } from "@/cli/testing/against-server";
import type { TestCommand, Ended, RunOptions } from "@/cli/testing/command";
import { atTerminal } from "@/cli/testing/terminal";
import { hashPassword } from "@/server/db/secrets/passwords";
import { roles } from "@/server/domain/access/roles";
import type { Role } from "@/server/domain/access/roles";
import type { ConsoleServer } from "@/server/surfaces/web/testing/console-server";

let server: ConsoleServer;
let command: TestCommand;
let stop: () => Promise<void>;
const tokens = new Map<Role, string>();
const { ok, usage, forbidden, notFound, notNow } = exitCodes;
const planted = { env: `planted-${randomUUID()}`, file: `planted-${randomUUID()}` };
/** All output of the command. */
const printed: string[] = [];

async function as(role: Role, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const ended = await command.run(args, {
    url: server.url,
    token: tokens.get(role) ?? "",
    env: { NET_TOKEN: planted.env },
    ...options,
  });
  printed.push(ended.stdout, ended.stderr);
  return ended;
}
const admin = (...args: string[]) => as("provider-admin", args);
const file = (name: string, text: string): string => {
  const path = join(command.folder, name);
  writeFileSync(path, text);
  return path;
};
const secrets = `networkController:
  url: https://network.test
  token: {fromEnv: NET_TOKEN}
  acknowledgementToken: {fromFile: ack.token}
`;

beforeAll(async () => {
  ({ server, command, stop } = await startAgainstServer());
  for (const role of roles) tokens.set(role, await server.token(role));
  file("ack.token", `${planted.file}\n`);
});
afterAll(() => stop());

describe("a site as a document", () => {
  it("comes out as YAML or JSON, and applied as it is changes nothing", async () => {
    const exported = await as("auditor", ["site", "export"]);
    expect(exported).toMatchObject({ code: ok.code, stderr: "" });
    expect(exported.stdout).toContain(`$schema=${server.url}/api/site.schema.json`);
    expect(parse(exported.stdout)).toMatchObject({
      format: 1,
      site: "a",
      revision: expect.any(String),
      tenants: [{ org: "acme" }, { org: "repair" }, { org: "vela" }],
    });
    const json: unknown = JSON.parse((await admin("site", "export", "a", "-o", "json")).stdout);
    expect(parse(exported.stdout)).toMatchObject(json as object);
    const path = file("same.yaml", exported.stdout);
    expect(await admin("site", "diff", "-f", path)).toMatchObject({
      code: ok.code,
      stdout: "",
      stderr: "Site a matches the document.\n",
    });
    expect(await admin("site", "apply", "-f", path)).toMatchObject({
      code: ok.code,
      stderr: "Site a matches the document. Nothing was changed.\n",
    });
    expect((await admin("site", "history")).stderr).toBe("No document has been applied yet.\n");
  });

  it("is compared, tried, applied and listed", async () => {
    const path = file("site.yaml", `format: 1\nsite: a\n${secrets}policy:\n  times: {stateMs: 60000}\n`);
    expect((await as("operator", ["site", "diff", "-f", path])).stdout).toMatch(
      /set +policy\.times\.stateMs +1800000 +60000/,
    );
    const dry = await admin("site", "apply", "-f", path, "--dry-run");
    expect(dry).toMatchObject({
      code: ok.code,
      stderr:
        "Site a: dry run, nothing was changed.\nNot recorded what this would have changed: Time limits: state.\n",
    });
    expect(dry.stdout).toContain("policy.times.stateMs");
    const asked = (await admin("site", "apply", "-f", path)).stderr;
    expect(asked).toContain("Not recorded what this would have changed: Time limits: state.");
    expect(asked).toContain("Add --yes");
    expect(await admin("site", "apply", "-f", path, "--reason", "ticket 4711", "--yes")).toMatchObject({
      code: ok.code,
      stdout: "",
      stderr: "Site a: applied as version 2.\n",
    });
    expect((await admin("site", "history")).stdout).toMatch(
      /VERSION +AT +BY +CHANGES +REASON\n2 .*ticket 4711\n1 .*other changes/,
    );
    expect((await admin("site", "history", "--at", "2")).stdout).toContain("policy.times.stateMs");
    expect((await admin("site", "history", "--at", "9")).code).toBe(notFound.code);
    expect((await admin("site", "export", "--at", "9")).code).toBe(notFound.code);
  });

  it("of an earlier version is restored by applying it", async () => {
    const early = await admin("site", "export", "--at", "1");
    expect(parse(early.stdout)).not.toHaveProperty("revision");
    expect(
      await as("provider-admin", ["site", "apply", "-f", "-", "--yes", "-o", "json"], {
        stdin: early.stdout,
      }),
    ).toMatchObject({ code: ok.code });
    expect(parse((await admin("site", "export")).stdout)).toMatchObject({
      policy: { times: { stateMs: 1_800_000 } },
    });
  });

  it("of an earlier version is restored by one command, which says first what it cannot bring back", async () => {
    const before = await admin("site", "history", "-o", "json");
    const newest = (JSON.parse(before.stdout) as { version: number }[])[0]?.version ?? 0;
    expect((await admin("site", "diff", "--from", "1", "--to", "2")).stdout).toContain(
      "policy.times.stateMs",
    );
    expect((await admin("site", "diff", "--from", String(newest))).stderr).toBe(
      "The versions are the same.\n",
    );
    expect((await admin("site", "diff")).code).toBe(usage.code);
    const asked = (await admin("site", "restore", "2")).stderr;
    expect(asked).toContain("Add --yes");
    expect(asked).toContain("Not recorded what this would have changed: Time limits: state.");
    expect((await as("operator", ["site", "restore", "2", "--yes"])).code).toBe(forbidden.code);
    const restored = await admin("site", "restore", "2", "--yes", "--reason", "ticket 4712");
    expect(restored).toMatchObject({ code: ok.code });
    expect(restored.stderr).toContain("Enter it again on the page Site.");
    expect(restored.stderr).toContain(`applied as version ${newest + 1}`);
    expect((await admin("site", "restore", "99", "--yes")).code).toBe(notFound.code);
    await admin("site", "restore", "1", "--yes");
  });

  it("is refused with the lines of its faults, for another state, of an unknown site and without its secrets", async () => {
    const faulty = await admin(
      "site",
      "apply",
      "-f",
      file("faulty.yaml", "format: 1\nsite: a\ncolour: red\npolicy:\n  times: {stateMs: soon}\n"),
      "--yes",
    );
    expect(faulty.code).toBe(usage.code);
    expect(faulty.stderr).toMatch(
      /^2 things are wrong with the document:\n {2}line 3, column 1, colour: there is no such setting; there are format, site, .* and tenants\n {2}line 5, column 11, policy.times.stateMs: must be a number, not text\n$/,
    );
    const inUse = await admin(
      "site",
      "apply",
      "-f",
      file("use.yaml", "format: 1\nsite: a\ntenants: []\n"),
      "--yes",
    );
    expect(inUse.code).toBe(notNow.code);
    expect(inUse.stderr).toContain(
      "line 3, column 1, tenants: the tenant acme is missing from the document, but it has 2 people",
    );
    expect(
      await admin(
        "site",
        "apply",
        "-f",
        file("old.yaml", "format: 1\nsite: a\nrevision: 0123\npolicy: {times: {stateMs: 7}}\n"),
        "--yes",
      ),
    ).toMatchObject({ code: usage.code });
    expect(
      await admin(
        "site",
        "apply",
        "-f",
        file("old.yaml", "format: 1\nsite: a\nrevision: abc\npolicy: {times: {stateMs: 7}}\n"),
        "--yes",
      ),
    ).toMatchObject({ code: notNow.code, stderr: expect.stringContaining("at revision") });
    const other = file("new.yaml", "format: 1\nsite: berlin\n");
    expect(await admin("site", "apply", "-f", other, "--yes")).toMatchObject({
      code: notFound.code,
      stderr: expect.stringContaining("--create"),
    });
    expect(await admin("site", "apply", "-f", other, "--yes", "--create")).toMatchObject({
      code: ok.code,
      stderr: "Site berlin: created as version 1.\n",
    });
    expect((await admin("site", "export")).code).toBe(usage.code);
    const path = file("secret.yaml", `format: 1\nsite: a\n${secrets}`);
    expect(await as("provider-admin", ["site", "apply", "-f", path, "--yes"], { env: {} })).toMatchObject({
      code: usage.code,
      stderr: expect.stringContaining("the variable NET_TOKEN is not set"),
    });
    expect((await admin("site", "apply", "-f", join(command.folder, "nothing.yaml"))).code).toBe(usage.code);
    expect((await as("operator", ["site", "apply", "-f", path, "--yes"])).code).toBe(forbidden.code);
    expect((await as("tenant-admin", ["site", "export", "a"])).code).toBe(forbidden.code);
  });

  it("is shown before it is confirmed at a terminal", async () => {
    const path = file("asked.yaml", "format: 1\nsite: berlin\npolicy: {times: {stateMs: 5}}\n");
    const env = { RECLAIM_URL: server.url, RECLAIM_TOKEN: tokens.get("provider-admin") ?? "" };
    const no = await atTerminal(["site", "apply", "-f", path], { env, home: command.home, types: "n" });
    expect(no).toMatchObject({
      code: exitCodes.failed.code,
      stderr: expect.stringContaining("policy.times.stateMs: 1800000 → 5"),
    });
    const yes = await atTerminal(["site", "apply", "-f", path], { env, home: command.home, types: "y" });
    expect(yes).toMatchObject({ code: ok.code, stderr: expect.stringContaining("applied as version 2") });
  });

  it("gives no secret to anybody: not printed, not logged, not answered", async () => {
    const logged: string[] = [];
    const stream = new Writable({
      write: (piece: Buffer, _encoding, next) => {
        logged.push(piece.toString());
        next();
      },
    });
    Object.assign(server.backend, { logger: pino({ level: "trace" }, stream) });
    const { database } = server.world.backend;
    await database.$executeRaw`ALTER TABLE site_version RENAME TO gone`;
    const broken = await admin(
      "site",
      "apply",
      "-f",
      file("broken.yaml", `format: 1\nsite: a\n${secrets}`),
      "--yes",
    );
    await database.$executeRaw`ALTER TABLE gone RENAME TO site_version`;
    expect(broken.code).toBe(exitCodes.failed.code);
    expect(logged.join("")).toContain("a procedure failed");
    printed.push(
      ...logged,
      (await admin("site", "export", "a")).stdout,
      (await admin("site", "history", "a", "-o", "json")).stdout,
    );
    const events = await server.world.backend.database.auditEvent.findMany({
      where: { action: "site.apply" },
    });
    expect(events.length).toBeGreaterThan(5);
    const text = [...printed, JSON.stringify(events)].join("\n");
    for (const secret of Object.values(planted)) expect(text).not.toContain(secret);
    expect(readFileSync(join(command.folder, "ack.token"), "utf8")).toContain(planted.file);
  });
});

it("lists the authorities of a site, and says where it has none", async () => {
  const none = await as("auditor", ["site", "authorities", "a"]);
  expect(none).toMatchObject({ code: ok.code, stderr: expect.stringContaining("no authorities of its own") });
  const exported = await admin("site", "export", "a");
  const pem = authorityForTests("Lab CA", 10).cert.trim().replaceAll(/^/gm, "      ");
  const path = file(
    "authorities.yaml",
    `${exported.stdout}\nauthorities:\n  lab:\n    usedFor: [bmc]\n    pem: |\n${pem}\n`,
  );
  expect(await admin("site", "apply", "-f", path, "--yes")).toMatchObject({ code: ok.code });
  const listed = await as("auditor", ["site", "authorities", "a", "-o", "json"]);
  expect(JSON.parse(listed.stdout)).toMatchObject([{ name: "lab", subject: "CN=Lab CA", expiry: "soon" }]);
  expect((await as("auditor", ["site", "authorities", "a"])).stdout).toMatch(
    /lab +bmc +CN=Lab CA +\S+ +renew/,
  );
});

it("waits for another provider admin where changes need approval, and says so with an exit code of its own", async () => {
  const { world } = server;
  const other = await server.token(world.actor("provider-admin", "vela"));
  const passwordHash = await hashPassword("fourteen gates");
  await world.backend.database.person.updateMany({ data: { passwordHash } });
  const secret = file("password", "fourteen gates");
  const apply = async (from: RegExp, to: string) => {
    const { stdout } = await admin("site", "export", "a");
    expect(stdout).toMatch(from);
    return admin("site", "apply", "-f", file("two.yaml", stdout.replace(from, to)), "--reason", "x", "--yes");
  };
  const on = await apply(/changesNeedApproval: false/, "changesNeedApproval: true");
  expect(on).toMatchObject({ code: ok.code });
  const waits = await apply(/holdMs: \d+/, "holdMs: 60000");
  expect(waits).toMatchObject({ code: exitCodes.awaitsApproval.code, stdout: "" });
  expect(waits.stderr).toContain("waits for approval by another provider admin");
  const id = /request (\w{8})/.exec(waits.stderr)?.[1] ?? "";
  const shown = await as("auditor", ["approvals", "show", id]);
  expect(shown).toMatchObject({ code: ok.code, stderr: "" });
  expect(shown.stdout).toMatch(/^policy\.times\.holdMs: \d+ → 60000\n$/);
  const decide = (token: string, ...args: string[]) =>
    command.run(["approvals", ...args, id, "--password-from", `file:${secret}`, "--yes"], {
      ...{ url: server.url, token, env: {} },
    });
  expect(await decide(tokens.get("provider-admin") ?? "", "approve")).toMatchObject({ code: forbidden.code });
  expect(await decide(other, "approve")).toMatchObject({ code: ok.code });
  expect((await admin("site", "export", "a")).stdout).toContain("holdMs: 60000");
  await apply(/holdMs: \d+/, "holdMs: 70000");
  const list = await admin("approvals", "list", "--kind", "policyChange", "-o", "json");
  const again = (JSON.parse(list.stdout) as { id: string }[])[0]?.id ?? "";
  const taken = await admin("approvals", "withdraw", again, "--reason", "wrong", "--yes");
  expect(taken).toMatchObject({ code: ok.code });
});
