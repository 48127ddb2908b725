// `reclaim proof`, the filters of `certificates list`, and `verify` of a pack, against a real server.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { exitCodes } from "@/cli/exit-codes";
import { commandByRole } from "@/cli/testing/against-server";
import { addFirstKey } from "@/server/db/audit-log/keys";
import { addReturn, signAll } from "@/server/usecases/testing/returns";

const { started, as } = commandByRole();
const proof = (...args: string[]) => as("auditor", "proof", ...args);
const file = (name: string) => join(started().command.folder, name);
let over = false;
let signing: Promise<void>;
let key = "";

beforeAll(async () => {
  const { world, pool } = started().server;
  await pool.query("UPDATE site SET demo = false");
  await addFirstKey(pool, world.backend.secrets, "reclaim.test/audit-log");
  const given = { tenant: "acme", outcome: "ready" } as const;
  await addReturn(world, "gpu-1", { ...given, startedAt: "2026-10-30T20:31:00Z", serial: "PHAB1" });
  const startedAt = "2026-10-02T00:00:00Z";
  await addReturn(world, "gpu-2", { ...given, startedAt, serial: "PHAB2", excepted: true });
  await signAll(world);
  // The controller's jobs, which number and sign a pack's own event.
  signing = (async () => {
    while (!over) await signAll(world);
  })();
  const keys = await as("auditor", "audit", "keys", "--columns", "key", "-o", "json");
  key = /reclaim\.test[^"]+/.exec(keys.stdout)?.[0] ?? "";
});
afterAll(async () => {
  over = true;
  await signing;
});

it("searches by what is known, counts, and refuses what is none", async () => {
  const found = await proof("search", "phab1");
  expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining("gpu-1") });
  expect(found.stdout).not.toContain("gpu-2");
  const all = await proof("search", "--tenant", "acme", "--month", "2026-10", "--kind", "release");
  expect(all.stdout).toMatch(/gpu-1[^]*gpu-2/);
  expect(all.stderr).toContain("2 returns: 1 proven, 1 proven with exceptions.");
  expect((await proof("search", "--exception", "yes", "-o", "json")).stdout).toMatch(/gpu-2/);
  for (const wrong of [
    ["--standing", "clean"],
    ["--exception", "maybe"],
    ["--kind", "x"],
  ])
    expect(await proof("search", ...wrong)).toMatchObject({ code: exitCodes.usage.code });
  expect(await proof("search", "--tenant", "nobody")).toMatchObject({ code: exitCodes.notFound.code });
});

it("shows one with its drives, exceptions and people, and its timeline", async () => {
  const { stdout } = await proof("search", "gpu-2", "-o", "json");
  const id = /"id": "([^"]+)"/.exec(stdout)?.[1] ?? "";
  expect(await proof("show", id)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/Proven with exceptions[^]*Sara Duarte[^]*Priya Raman[^]*PHAB2/),
  });
  expect(await proof("show", "R-999999")).toMatchObject({ code: exitCodes.notFound.code });
  for (const [of, name] of [
    ["return", id],
    ["host", "gpu-2"],
    ["drive", "PHAB2"],
    ["tenant", "acme"],
  ] as const)
    expect({ of, ...(await proof("timeline", of, name)) }).toMatchObject({ of, code: 0 });
  expect(await proof("timeline", "rack", "R1")).toMatchObject({ code: exitCodes.usage.code });
});

it("makes a pack that verify checks as a whole", async () => {
  const path = file("acme.pack.tar");
  expect(await proof("pack", "--tenant", "acme", "--to", path)).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/2 certificates, [\d.]+ MB as JSON[^]*Saved to .*: 2 certificates/),
  });
  const held = await as("auditor", "verify", path, "--key", key);
  expect({ ...held, said: `${held.stdout}${held.stderr}` }).toMatchObject({
    code: exitCodes.notPlain.code,
    said: expect.stringMatching(/2 of 2 hold; 1 with exceptions[^]*Signed by reclaim.test/),
  });
  expect(await as("auditor", "verify", path)).toMatchObject({ code: exitCodes.unknownSigner.code });
  const plain = file("gpu-1.pack.tar");
  await proof("pack", "gpu-1", "--to", plain);
  expect(await as("auditor", "verify", plain, "--key", key)).toMatchObject({ code: 0 });
  const bytes = readFileSync(plain);
  writeFileSync(plain, bytes.subarray(0, -700));
  expect(await as("auditor", "verify", plain, "--key", key)).toMatchObject({ code: exitCodes.tampered.code });
});

it("lists certificates by standing, host, tenant and time", async () => {
  const list = async (...args: string[]) => (await as("auditor", "certificates", "list", ...args)).stdout;
  expect(await list("--host", "SN-gpu-1")).toMatch(/gpu-1/);
  expect(await list("--host", "SN-gpu-1")).not.toMatch(/gpu-2/);
  expect(await list("--standing", "provenWithExceptions", "--tenant", "acme")).toMatch(/gpu-2/);
  expect(await list("--standing", "provenWithExceptions")).not.toMatch(/gpu-1/);
  expect(await list("--since", "1h", "--instance", "of-gpu-1")).toMatch(/gpu-1/);
  expect(await list("--until", "2020-01-01T00:00Z")).not.toMatch(/gpu/);
  expect(await as("auditor", "certificates", "list", "--standing", "clean")).toMatchObject({
    code: exitCodes.usage.code,
  });
  expect(await as("auditor", "certificates", "list", "--host", "nobody")).toMatchObject({
    code: exitCodes.notFound.code,
  });
});
