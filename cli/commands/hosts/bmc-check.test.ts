// `reclaim bmc check` as people run it: a tree, an address, and where the password comes from.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createCommand } from "@/cli/testing/command";
import { TreeBmc } from "@/server/hardware/redfish/testing/tree-bmc";
import { readCapture } from "@/server/simulator/trees/read-capture";

const command = createCommand();
afterAll(() => command.remove());

function treeAt(name: string, files: Iterable<readonly [string, string | Buffer]>): string {
  const folder = join(command.folder, name);
  for (const [path, content] of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return folder;
}

const lenovo = readCapture("lenovo-thinksystem-sr670");

describe("a captured tree", () => {
  it("is told check by check, also as data", async () => {
    const folder = treeAt("lenovo", lenovo);
    const told = await command.run(["bmc", "check", folder]);
    expect(told).toMatchObject({ code: 0, stderr: "The BMC offers all that Reclaim needs.\n" });
    expect(told.stdout).toMatch(/^Network boot +passed +.*is asked for Pxe once/m);
    const { stdout } = await command.run(["bmc", "check", folder, "-o", "json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: "works",
      checks: expect.arrayContaining([
        { check: "drivesByBmc", status: "notOffered", says: expect.any(String), todo: expect.any(String) },
      ]),
    });
  });

  it("ends with 5 if something that is needed is not known, and with 1 if it is not there", async () => {
    const without = (part: string) => [...lenovo].filter(([path]) => !path.includes(part));
    expect(await command.run(["bmc", "check", treeAt("no-drives", without("/Storage/"))])).toMatchObject({
      code: 5,
    });
    const root = JSON.stringify({ Managers: { "@odata.id": "/redfish/v1/Managers" } });
    expect(
      await command.run(["bmc", "check", treeAt("no-systems", [["redfish/v1/index.json", root]])]),
    ).toMatchObject({ code: 1, stdout: expect.stringContaining("The service root has no Systems.") });
  });

  it("is refused if it is none", async () =>
    expect(await command.run(["bmc", "check", treeAt("none", [["a.json", "{}"]])])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("is no captured tree"),
    }));
});

describe("an address", () => {
  it("takes the password from a variable, and deletes the session that it opened", async () => {
    const bmc = await TreeBmc.start("dell");
    try {
      const env = { RECLAIM_BMC_USERNAME: "root", RECLAIM_BMC_PASSWORD: bmc.password };
      const told = await command.run(["bmc", "check", bmc.address, "-o", "json"], { env });
      expect(told).toMatchObject({ code: 0 });
      expect(`${told.stdout}${told.stderr}`).not.toContain(bmc.password);
      expect(bmc.sessions.size).toBe(0);
    } finally {
      await bmc.stop();
    }
  });

  it("is not asked without a password, a user, or a fingerprint that is one", async () => {
    const asked = (args: readonly string[], env = {}) =>
      command.run(["bmc", "check", "10.0.0.7", ...args], { env });
    expect(await asked([])).toMatchObject({ code: 2, stderr: expect.stringContaining("--username") });
    expect(await asked(["--username", "root"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("RECLAIM_BMC_PASSWORD"),
    });
    expect(await asked(["--username", "root", "--password-from", "env:NOT_SET"])).toMatchObject({ code: 2 });
    expect(await asked(["--username", "root", "--certificate", "abc"])).toMatchObject({ code: 2 });
  });
});
