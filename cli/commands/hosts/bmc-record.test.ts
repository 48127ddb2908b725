// `reclaim bmc record` as people run it: the folder, what is told of it, and where the password comes from.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, it } from "vitest";
import { createCommand } from "@/cli/testing/command";
import { TreeBmc } from "@/server/hardware/redfish/testing/tree-bmc";

const command = createCommand();
let bmc: TreeBmc;
beforeEach(async () => {
  bmc = await TreeBmc.start("lenovo");
});
afterEach(() => bmc.stop());
afterAll(() => command.remove());

const env = () => ({ RECLAIM_BMC_USERNAME: "root", RECLAIM_BMC_PASSWORD: bmc.password });
const folderAt = (name: string) => join(command.folder, name);

it("writes a folder that `bmc check` reads, tells what it replaced, and asks to look before it is sent", async () => {
  const folder = folderAt("captured");
  const told = await command.run(["bmc", "record", bmc.address, folder], { env: env() });
  expect(told).toMatchObject({ code: 0, stderr: expect.stringContaining("before you send it") });
  expect(told.stdout).toMatch(/^resources +\d+ resources$/m);
  expect(told.stdout).toMatch(/^replaced +\d+ MAC addresses$/m);
  expect(told.stdout).toMatch(/^left out +sessions$/m);
  expect(told.stdout).toMatch(/^not given +\/redfish\/v1\S*: GET .*404/m);
  expect(`${told.stdout}${told.stderr}`).not.toContain(bmc.password);
  expect(bmc.sessions.size).toBe(0);
  expect(await command.run(["bmc", "check", folder])).toMatchObject({ code: 0 });
});

it("tells the same as data", async () => {
  const folder = folderAt("as-data");
  const { stdout, code } = await command.run(["bmc", "record", bmc.address, folder, "-o", "json"], {
    env: env(),
  });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    folder,
    replaced: expect.arrayContaining([{ kind: "uuid", count: expect.any(Number) }]),
    brokeOff: null,
  });
});

it("writes nothing without a password, into a folder that is not empty, or if the BMC does not let us in", async () => {
  const folder = folderAt("none");
  const run = (variables: Record<string, string>, at = folder) =>
    command.run(["bmc", "record", bmc.address, at], { env: variables });
  expect(await run({ RECLAIM_BMC_USERNAME: "root" })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("RECLAIM_BMC_PASSWORD"),
  });
  expect(await run({ ...env(), RECLAIM_BMC_PASSWORD: "wrong" })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Nothing was recorded"),
  });
  expect(existsSync(folder)).toBe(false);
  const full = folderAt("full");
  mkdirSync(full);
  writeFileSync(join(full, "kept"), "");
  expect(await run(env(), full)).toMatchObject({ code: 2, stderr: expect.stringContaining("is not empty") });
});
