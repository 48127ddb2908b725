// Hosts in states of another release that runs side by side with this one: every list and page still works, and no act is offered (ADR 24).
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exitCodes } from "@/cli/exit-codes";
import { startAgainstServer } from "@/cli/testing/against-server";
import type { TestCommand, Ended } from "@/cli/testing/command";
import { deepCleanFailed, dreaming, twice } from "@/cli/testing/unknown-states";
import type { Role } from "@/server/domain/access/roles";
import type { ConsoleServer } from "@/server/surfaces/web/testing/console-server";

let server: ConsoleServer;
let command: TestCommand;
let stop: () => Promise<void>;
const tokens = new Map<Role, string>();
const train = randomUUID();
const { ok, notNow } = exitCodes;

const as = (role: Role, ...args: string[]): Promise<Ended> =>
  command.run(args, { url: server.url, token: tokens.get(role) ?? "" });
const admin = (...args: string[]) => as("provider-admin", ...args);
const json = ({ stdout }: Ended): unknown => JSON.parse(stdout);
const node = async (name: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${server.url}/v1/nodes/${name}`, {
    headers: {
      authorization: `Bearer ${tokens.get("provider-admin") ?? ""}`,
      "X-OpenStack-Ironic-API-Version": "1.80",
      ...headers,
    },
  });
  return [response.status, await response.json()];
};
const nico = async (method: string, role: Role, path: string) => {
  const response = await fetch(
    `${server.url}/v2/org/${role === "tenant-admin" ? "acme" : "provider"}/nico/${path}`,
    {
      method,
      headers: { authorization: `Bearer ${tokens.get(role) ?? ""}` },
    },
  );
  return [response.status, await response.json()];
};

beforeAll(async () => {
  ({ server, command, stop } = await startAgainstServer());
  const { world } = server;
  const { database } = world.backend;
  for (const role of ["provider-admin", "tenant-admin"] as const) tokens.set(role, await server.token(role));
  const acme = world.tenants.acme;
  for (const [name, state] of Object.entries({
    "new-1": dreaming,
    "new-2": twice,
    "new-3": deepCleanFailed,
    "old-1": "Ready",
  })) {
    const hostId = await world.host(name);
    await world.put(hostId, "Ready");
    await database.hostRun.update({
      where: { hostId },
      data: { state, lastError: "says the other release" },
    });
    await database.stateHistory.create({
      data: { hostId, version: 1_000n, state, generation: 1n },
    });
    if (name === "new-1")
      await database.instance.create({
        data: { id: train, name: "train-1", hostId, tenantId: acme },
      });
  }
});
afterAll(() => stop());

describe("hosts in states of another release", () => {
  it("are listed by the text of the state, and are not allocatable", async () => {
    expect(json(await admin("hosts", "list", "-o", "json", "--columns", "name,state,allocatable"))).toEqual([
      { name: "new-1", state: dreaming, allocatable: false },
      { name: "new-2", state: twice, allocatable: false },
      { name: "new-3", state: deepCleanFailed, allocatable: false },
      { name: "old-1", state: "Ready", allocatable: true },
    ]);
    expect((await admin("hosts", "list")).stdout).toContain(deepCleanFailed);
  });

  it.each([
    [["hosts", "show", "new-1"], dreaming],
    [["hosts", "show", "new-3"], deepCleanFailed],
    [["hosts", "history", "new-1"], dreaming],
    [["failures", "list"], "DeepCleanFailed"],
    [["fleet"], "Failed"],
    [["steps", "new-2"], "erase"],
    [["reclamations", "list", "new-2"], "new-2"],
    [["reclamations", "show", "--host", "new-2"], "new-2"],
    [["instances", "list"], "Updating"],
  ])("%j answers", async (args, words) => {
    const { code, stdout, stderr } = await admin(...args);
    expect([code, stderr]).toEqual([ok.code, ""]);
    expect(stdout).toContain(words);
  });

  it("tell their tenant that they are looked after, not the state", async () => {
    const { stdout } = await as("tenant-admin", "instances", "show", "train-1");
    expect(stdout).toContain("not proven clean yet; the provider is working on it");
    expect(stdout).not.toContain("Dreaming");
  });

  it("refuse their tenant's release without the state's name, over each surface", async () => {
    const refused = await as("tenant-admin", "release", "train-1", "--yes");
    expect([refused.code, refused.stderr]).toEqual([
      notNow.code,
      expect.stringContaining("not proven clean yet; the provider is working on it"),
    ]);
    expect(`${refused.stdout}${refused.stderr}`).not.toContain("Dreaming");
    const [status, { message }] = await nico("DELETE", "tenant-admin", `instance/${train}`);
    expect([status, message]).toEqual([
      409,
      "Its host is not proven clean yet; the provider is working on it.",
    ]);
  });

  it("stay in both lists of NICo, by the statuses that it has for them", async () => {
    expect(await nico("GET", "tenant-admin", `instance/${train}`)).toMatchObject([
      200,
      { status: "Updating" },
    ]);
    expect(await nico("GET", "tenant-admin", "instance?status=Updating")).toMatchObject([
      200,
      [{ id: train }],
    ]);
    expect(await nico("GET", "tenant-admin", "instance?status=Ready")).toEqual([200, []]);
    const machines = async (query: string) => {
      const [, rows] = await nico("GET", "provider-admin", `machine${query}`);
      return rows.map(({ status }: { status: string }) => status).sort();
    };
    expect(await machines("")).toEqual(["Ready", "Unknown", "Unknown", "Unknown"]);
    expect(await machines("?status=Unknown")).toEqual(["Unknown", "Unknown", "Unknown"]);
    expect(await machines("?orderBy=STATUS_ASC&pageSize=2")).toHaveLength(2);
  });

  it.each([
    ["hosts", "provide", "new-2", "--yes"],
    ["hosts", "manage", "new-2", "--yes"],
    ["retry", "new-3", "--yes"],
    ["hosts", "delete", "new-2", "--yes"],
    ["release", "--host", "new-1", "--yes"],
  ])("take no act: %s %s", async (...args) => {
    const ended = await admin(...args);
    expect(ended.code).toBe(notNow.code);
    expect(`${ended.stdout}${ended.stderr}`).toContain("this server's release");
  });

  it("are never available to a client of Ironic", async () => {
    expect(await node("new-1")).toMatchObject([200, { provision_state: "deploying" }]);
    expect(await node("new-2")).toMatchObject([200, { provision_state: "cleaning" }]);
    expect(await node("new-3")).toMatchObject([200, { provision_state: "error" }]);
    const listed = async (word: string) => {
      const [, body] = await node(`?provision_state=${word}&sort_key=provision_state`);
      return body.nodes.map(({ name }: { name: string }) => name);
    };
    expect(await listed("available")).toEqual(["old-1"]);
    expect(await listed("cleaning")).toEqual(["new-2"]);
    expect(await listed("error")).toEqual(["new-3"]);
  });
});
