// Verifying the audit log of a running server: the command names what was changed in its database or in an export.
import { randomUUID } from "node:crypto";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { exitCodes } from "@/cli/exit-codes";
import { commandByRole } from "@/cli/testing/against-server";
import { auditText, auditInsert } from "@/server/db/audit";
import type { AuditEvent } from "@/server/db/audit";
import { addFirstKey, makeWantedKey } from "@/server/db/audit-log/keys";
import { signNews } from "@/server/db/audit-log/sign";
import { numberAll } from "@/server/db/audit-log/testing/number-all";
import { reachOf } from "@/server/domain/access/access";
import { roles } from "@/server/domain/access/roles";
import { signCheckpoint } from "@/server/domain/audit-log/signing";
import { leafHash } from "@/server/domain/audit-log/merkle";
import { newSigner } from "@/server/domain/audit-log/testing/memory-log";

const { started, as, database } = commandByRole();
const pool = () => started().server.pool;
const origin = "reclaim.test/audit-log";
const audit = (...args: string[]) => as("auditor", "audit", ...args);
const folder = (name: string) => join(started().command.folder, name);
const tables = ["audit_event", "audit_leaf", "audit_node", "audit_checkpoint"];
const maxUuid = "ffffffff-ffff-4fff-bfff-ffffffffffff";
let key = "";

const event = (): AuditEvent => ({
  actor: { kind: "person", id: randomUUID(), name: "Ada" },
  action: "host.retry",
  targetId: "h-1",
  tenantId: null,
  requestId: randomUUID(),
  address: "::1",
  outcome: "done",
  before: null,
  after: { reason: "x" },
});
const add = (count: number) =>
  pool().query(auditInsert("$1"), [auditText(Array.from({ length: count }, event))]);
const sign = async (): Promise<void> => {
  await numberAll(pool());
  await signNews(pool(), started().server.world.backend.secrets);
};

beforeAll(async () => {
  await addFirstKey(pool(), started().server.world.backend.secrets, origin);
  await add(300);
  await sign();
  key = (await audit("keys", "--columns", "key", "-o", "json")).stdout.match(/reclaim\.test[^"]+/)?.[0] ?? "";
  for (const table of tables) await pool().query(`CREATE TABLE saved_${table} AS TABLE ${table}`);
  expect(await audit("export", "--to", folder("log"))).toMatchObject({ code: exitCodes.ok.code });
});

/** Tampers as the owner of the database, with triggers disabled. */
async function restored(tamper: string): Promise<void> {
  await pool().query(
    `BEGIN; SET LOCAL session_replication_role = replica; ${tables.map((table) => `TRUNCATE ${table}; INSERT INTO ${table} SELECT * FROM saved_${table};`).join(" ")} ${tamper}; COMMIT`,
  );
}

describe("verify", () => {
  it("finds nothing wrong, with the key of the log", async () => {
    const { code, stderr } = await audit("verify", "--key", key, "--keep", folder("kept"));
    expect(stderr).toContain("all unchanged and in their places");
    expect(stderr).toContain(`Signed by ${origin}`);
    expect(code).toBe(exitCodes.ok.code);
  });

  it("without a key does not end with 0", async () =>
    expect((await audit("verify")).code).toBe(exitCodes.unknownSigner.code));

  it("asks no server for what was exported", async () => {
    const { code } = await started().command.run(["audit", "verify", "--from", folder("log"), "--key", key], {
      url: "http://127.0.0.1:1",
      token: "",
    });
    expect(code).toBe(exitCodes.ok.code);
  });

  it("finds that a log is the one that was exported, and that a later one begins with it", async () => {
    await restored("SELECT 1");
    expect((await audit("verify", "--key", key, "--checkpoint", folder("log/checkpoint"))).code).toBe(0);
  });

  it.each<[string, string, RegExp]>([
    [
      "a byte of an event",
      "UPDATE audit_event e SET actor_name = 'Adb' FROM audit_leaf l WHERE l.event_id = e.id AND l.seq = 7",
      /event 7 \(.*is not what was logged/,
    ],
    [
      "an event taken out",
      "DELETE FROM audit_event e USING audit_leaf l WHERE l.event_id = e.id AND l.seq = 7",
      /event 7.*is missing/,
    ],
    [
      "an event and its number taken out",
      "DELETE FROM audit_leaf WHERE seq = 7",
      /tile\/entries\/000.*has 255 entries/,
    ],
    [
      "two events swapped",
      `UPDATE audit_leaf SET event_id = '${maxUuid}' WHERE seq = 5; UPDATE audit_leaf SET event_id = (SELECT event_id FROM saved_audit_leaf WHERE seq = 5) WHERE seq = 7; UPDATE audit_leaf SET event_id = (SELECT event_id FROM saved_audit_leaf WHERE seq = 7) WHERE seq = 5`,
      /event 5 .*was logged as event 7/,
    ],
    [
      "a leaf",
      "UPDATE audit_leaf SET hash = sha256('x') WHERE seq = 270",
      /tile of event 270 \(tile\/0\/001\).*has another hash/,
    ],
    ["a tile", "UPDATE audit_node SET hash = sha256('x')", /tile\/1\/000\.p\/1.*hash 0 is not/],
    [
      "an event and its leaf",
      "UPDATE audit_event e SET actor_name = 'Adb' FROM audit_leaf l WHERE l.event_id = e.id AND l.seq = 7; UPDATE audit_leaf SET hash = sha256('x') WHERE seq = 7",
      /checkpoint.*follows neither/,
    ],
    [
      "a checkpoint",
      "UPDATE audit_checkpoint SET note = regexp_replace(note, '\\n301\\n', E'\\n300\\n')",
      /checkpoint.*does not verify/,
    ],
  ])("names %s", async (_what, tamper, expected) => {
    await restored(tamper);
    const { code, stdout, stderr } = await audit("verify", "--key", key);
    expect({ code, lines: stdout.replaceAll(/ +/g, " ") }).toEqual({
      code: exitCodes.tampered.code,
      lines: expect.stringMatching(expected) as unknown,
    });
    expect(stderr).toContain("The log was changed");
    await restored("SELECT 1");
  });

  it("names a checkpoint of a fresh key, and a log of fewer events than were kept", async () => {
    cpSync(folder("log"), folder("forged"), { recursive: true });
    const other = newSigner(origin);
    const head = { size: 1, root: leafHash(Buffer.from("x")) };
    writeFileSync(folder("forged/checkpoint"), signCheckpoint(origin, head, [other]));
    const verify = () =>
      audit("verify", "--from", folder("forged"), "--key", key, "--checkpoint", folder("log/checkpoint"));
    const { code, stdout } = await verify();
    expect(code).toBe(exitCodes.tampered.code);
    expect(stdout).toMatch(/signed by none of the trusted keys/);
    expect(stdout).toMatch(/it was cut, or an older one was restored/);
    rmSync(folder("forged"), { recursive: true });
  });
});

it("the files are for who may read the log", async () => {
  const get = async (path: string, token: string | null) => {
    const headers = token === null ? {} : { authorization: `Bearer ${token}` };
    return (await fetch(`${started().server.url}/audit-log/${path}`, { headers })).status;
  };
  for (const path of ["checkpoint", "tile/0/000", "tile/entries/000"]) {
    expect([path, await get(path, null)]).toEqual([path, 401]);
    for (const role of roles)
      expect([path, role, await get(path, await started().server.token(role))]).toEqual([
        path,
        role,
        reachOf(role, "audit.read") === "any" ? 200 : 403,
      ]);
  }
  const token = await started().server.token("auditor");
  for (const path of ["", "tile/0/001", "tile/0/001.p/46", "rotation/0"])
    expect([path, await get(path, token)]).toEqual([path, 404]);
});

describe("one event", () => {
  it("is proven without the log, and no other is", async () => {
    const [row] = await database().auditEvent.findMany({ where: { targetId: "h-1" }, take: 1 });
    const file = folder("event.tlog-proof");
    expect(await audit("proof", row?.id ?? "", "--to", file)).toMatchObject({ code: 0 });
    const check = async (...args: string[]) => (await audit("check", file, ...args)).code;
    expect([await check("--key", key), await check()]).toEqual([0, exitCodes.unknownSigner.code]);
    writeFileSync(`${file}.json`, readFileSync(`${file}.json`, "utf8").replace("Ada", "Eve"));
    expect(await check("--key", key)).toBe(exitCodes.tampered.code);
  });
});

describe("follow", () => {
  it("goes on from a number, and misses none", async () => {
    const { stdout } = await audit("follow", "--since", "250", "--no-wait", "-o", "json");
    const numbers = stdout
      .split("\n")
      .flatMap((line) => (line === "" ? [] : [JSON.parse(line) as { seq: number }]));
    expect(numbers.map(({ seq }) => seq)).toEqual(Array.from({ length: 51 }, (_, n) => 250 + n));
  });
});

describe("what lacks events", () => {
  it("is followed by nobody without a word: fewer events than the last time are an error", async () => {
    const { code, stderr } = await audit("follow", "--since", "5000", "--no-wait");
    expect(stderr).toMatch(/The log has \d+ events, and had 5000/);
    expect(code).toBe(exitCodes.tampered.code);
  });
  it("is exported as far as there is something, and not called whole", async () => {
    await restored("DELETE FROM audit_leaf; DELETE FROM audit_event");
    const { code, stderr } = await audit("export", "--to", folder("holes"));
    await restored("SELECT 1");
    expect(stderr).toMatch(/is incomplete: \d+ files missing or short.*tile\/entries\/000/);
    expect(code).toBe(exitCodes.tampered.code);
    expect(readFileSync(folder("holes/checkpoint"), "utf8")).toContain(origin);
  });
});

describe("a new key", () => {
  it("is vouched for by the one before it, so an auditor needs no new one", async () => {
    const rotate = () => as("provider-admin", "audit", "rotate-key", "--reason", "yearly", "--yes");
    expect(await rotate()).toMatchObject({ code: 0 });
    expect((await rotate()).code).toBe(exitCodes.notNow.code);
    const { secrets } = started().server.world.backend;
    expect([await makeWantedKey(pool(), secrets), await makeWantedKey(pool(), secrets)]).toEqual([
      true,
      false,
    ]);
    // A second request, by someone who does not wait: no second key is created before the first is vouched for.
    await pool().query("INSERT INTO audit_key_wanted (id) VALUES (gen_random_uuid())");
    expect((await rotate()).code).toBe(exitCodes.notNow.code);
    expect(await makeWantedKey(pool(), secrets)).toBe(false);
    await pool().query("DELETE FROM audit_key_wanted");
    await sign();
    await add(3);
    await sign();
    const { code, stderr } = await audit("verify", "--key", key, "--checkpoint", folder("log/checkpoint"));
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).not.toContain(`key ${key.split("+")[1]}`);
    expect(await audit("export", "--to", folder("log2"))).toMatchObject({ code: 0 });
    expect((await audit("verify", "--from", folder("log2"), "--key", key)).code).toBe(0);
    await pool().query("DELETE FROM audit_rotation");
    expect((await audit("verify", "--key", key)).code).toBe(exitCodes.tampered.code);
  });
});
