// `reclaim skus` against a real server over HTTP: created from a host, shown, changed, deleted, and refused without the right.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { exitCodes } from "@/cli/exit-codes";
import { startAgainstServer } from "@/cli/testing/against-server";
import type { TestCommand, Ended, RunOptions } from "@/cli/testing/command";
import type { Role } from "@/server/domain/access/roles";
import type { ConsoleServer } from "@/server/surfaces/web/testing/console-server";
import { nvme, reportBios, reportBmcSettings, reportHardware } from "@/server/usecases/testing/hardware";

let server: ConsoleServer;
let command: TestCommand;
let stop: () => Promise<void>;
const { ok, usage, forbidden, notFound, notNow } = exitCodes;

const as = async (role: Role, args: readonly string[], options: RunOptions = {}): Promise<Ended> =>
  command.run(["skus", ...args], { url: server.url, token: await server.token(role), ...options });
const admin = (...args: string[]) => as("provider-admin", args);

beforeAll(async () => {
  ({ server, command, stop } = await startAgainstServer());
  const hostId = await server.world.host("spare-1");
  await reportHardware(server.world, hostId, [nvme("S1"), nvme("S2")]);
});
afterAll(() => stop());

describe("reclaim skus", () => {
  it("lists hosts that are alike, and makes a SKU from one", async () => {
    expect(await as("auditor", ["list"])).toMatchObject({
      code: ok.code,
      stdout: "",
      stderr: expect.stringMatching(/^No SKUs\.\nWithout a SKU: 1 host\./),
    });
    expect((await admin("groups")).stdout).toMatch(/PowerEdge R750 +1 +spare-1/);
    expect(await admin("create", "two drives", "--from", "spare-1", "--reason", "ticket 7")).toMatchObject({
      code: ok.code,
      stderr: "SKU two drives created from spare-1. Waiting hosts are matched with it.\n",
    });
    expect((await admin("list")).stdout).toMatch(/two drives +0 +0 +Dell Inc\. PowerEdge R750/);
  });

  it("shows it as YAML that can be changed and sent back", async () => {
    const shown = parse((await admin("show", "two drives")).stdout);
    expect(shown).toMatchObject({
      name: "two drives",
      components: { storage: [{ count: 2 }] },
      priorities: {},
    });
    const file = join(command.folder, "sku.yaml");
    writeFileSync(file, stringify({ ...shown, name: "renamed" }));
    expect(await admin("change", "two drives", "-f", file)).toMatchObject({
      code: ok.code,
      stderr: "SKU renamed matches the file.\n",
    });
    expect(await admin("show", "two drives")).toMatchObject({ code: notFound.code });
    writeFileSync(file, "components: 5");
    expect(await admin("change", "renamed", "-f", file)).toMatchObject({ code: usage.code });
    expect(await admin("create", "neither")).toMatchObject({ code: usage.code });
  });

  it("says what of a baseline cannot be taken, and deletes", async () => {
    expect(await admin("capture-baseline", "renamed", "--from", "spare-1")).toMatchObject({
      code: notNow.code,
      stderr: expect.stringContaining("reports neither firmware versions nor lockdown"),
    });
    expect(await admin("delete", "renamed", "--yes")).toMatchObject({ code: ok.code });
  });

  it("captures BIOS attributes by name and pattern, and says which is not there", async () => {
    const host = await server.world.backend.database.host.findFirstOrThrow({ where: { name: "spare-1" } });
    expect(await admin("create", "bios", "--from", "spare-1", "--bios", "Proc*")).toMatchObject({
      code: notNow.code,
      stderr: expect.stringContaining("spare-1: BIOS settings: not known"),
    });
    await reportBios(server.world, host.id, {
      ProcCores: 8,
      ProcVirtualization: "Enabled",
      SysProfile: "Custom",
    });
    expect(await admin("create", "bios", "--from", "spare-1", "--bios", "Proc*")).toMatchObject({
      code: ok.code,
    });
    const bios = async () => parse((await admin("show", "bios")).stdout).components.baseline.bios;
    expect(await bios()).toEqual({ ProcCores: 8, ProcVirtualization: "Enabled" });
    expect(await admin("capture-baseline", "bios", "--from", "spare-1", "--bios", "Nothing")).toMatchObject({
      code: usage.code,
      stderr: expect.stringContaining("spare-1 has no BIOS attribute Nothing."),
    });
    expect(
      await admin("capture-baseline", "bios", "--from", "spare-1", "--bios", "SysProfile,ProcC*"),
    ).toMatchObject({ code: ok.code });
    expect(await bios()).toEqual({ ProcCores: 8, ProcVirtualization: "Enabled", SysProfile: "Custom" });
  });

  it("captures parts of the BMC by name, and says which there are", async () => {
    const host = await server.world.backend.database.host.findFirstOrThrow({ where: { name: "spare-1" } });
    await reportBmcSettings(server.world, host.id, { accounts: ["root"], subscriptions: [], left: [] });
    const capture = (parts: string) => admin("capture-baseline", "bios", "--from", "spare-1", "--bmc", parts);
    expect(await capture("accounts,users")).toMatchObject({
      code: usage.code,
      stderr: expect.stringContaining("accounts, keys, hostInterface, bootEntries, secureBoot"),
    });
    expect(await capture("keys")).toMatchObject({
      stderr: expect.stringContaining("not known: account keys"),
    });
    expect(await capture("accounts")).toMatchObject({ code: ok.code });
    expect(parse((await admin("show", "bios")).stdout).components.baseline.bmc).toEqual({
      accounts: [],
      subscriptions: [],
    });
  });

  it.each(["operator", "auditor", "tenant-admin"] as const)("refuses to make one as %s", async (role) => {
    expect(await as(role, ["create", "mine", "--from", "spare-1"])).toMatchObject({ code: forbidden.code });
  });
});
