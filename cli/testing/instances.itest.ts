// The command against a real server: a tenant creates an instance, names it, and is refused what belongs to others.
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { exitCodes } from "@/cli/exit-codes";
import { commandByRole } from "@/cli/testing/against-server";
import { until } from "@/server/testing/until";
import type { ConsoleServer } from "@/server/surfaces/web/testing/console-server";

const { ok, usage, forbidden, notFound, notNow } = exitCodes;
const { as, database, started } = commandByRole();
const world = () => started().server.world;

const kinds = async (hostId: string) =>
  (await database().signal.findMany({ where: { hostId }, orderBy: { id: "asc" } })).map(({ kind }) => kind);

async function host(state: Parameters<ConsoleServer["world"]["put"]>[1]): Promise<{ id: string }> {
  const id = await world().host();
  await world().put(id, state);
  return { id };
}

describe("an instance", () => {
  const tenant = (...args: string[]) => as("tenant-admin", "instances", ...args);

  it("is created of a SKU, renamed and labelled by its tenant", async () => {
    await database().hostRun.updateMany({ data: { allocatable: false } });
    const { id: hostId } = await host("Ready");
    const skuId = randomUUID();
    await database().sku.create({ data: { id: skuId, name: "CLI-1", components: {} } });
    await database().host.update({ where: { id: hostId }, data: { skuId } });

    expect(JSON.parse((await tenant("available", "-o", "json")).stdout)).toMatchObject([
      { sku: "CLI-1", free: 1 },
    ]);
    const made = await tenant("create", "cli-made", "--sku", "CLI-1", "--label", "a=1", "-o", "json");
    expect([made.code, JSON.parse(made.stdout)]).toMatchObject([ok.code, { instance: "cli-made", hostId }]);
    expect(await kinds(hostId)).toEqual(["assign"]);
    expect((await tenant("create", "cli-more", "--sku", "CLI-1")).code).toBe(notNow.code);

    expect(await tenant("rename", "cli-made", "cli-renamed")).toMatchObject({
      code: ok.code,
      stderr: "cli-made: renamed to cli-renamed\n",
    });
    expect((await tenant("label", "cli-renamed", "b=2", "a-")).code).toBe(ok.code);
    expect((await tenant("label", "cli-renamed", "b=2")).stderr).toBe("cli-renamed: already set\n");
    expect(JSON.parse((await tenant("show", "cli-renamed", "-o", "json")).stdout)).toMatchObject({
      labels: { b: "2" },
      status: "Provisioning",
    });
  });
  it("is waited for until it is ready, released, or late", async () => {
    const { id: hostId } = await host("Ready");
    const skuId = randomUUID();
    await database().sku.create({ data: { id: skuId, name: "CLI-2", components: {} } });
    const free = () =>
      database().$transaction([
        database().instance.updateMany({ where: { hostId }, data: { endedAt: new Date() } }),
        database().hostRun.update({ where: { hostId }, data: { allocatable: true } }),
      ]);
    await database().host.update({ where: { id: hostId }, data: { skuId } });
    const wait = (name: string, ...args: string[]) =>
      tenant("create", name, "--sku", "CLI-2", "--wait", ...args);
    const made = (name: string) =>
      until(`the instance ${name}`, 30_000, async () => {
        const found = await database().instance.findFirst({ where: { name } });
        return found ?? "not there";
      });
    const change = async (name: string, data: { readyAt: Date } | { releaseRequestedAt: Date }) =>
      database().instance.update({ where: { id: (await made(name)).id }, data });

    expect((await tenant("create", "cli-w", "--sku", "CLI-2", "--timeout", "1s")).code).toBe(usage.code);
    const late = await wait("cli-late", "--timeout", "1s");
    expect([late.code, late.stderr]).toEqual([
      exitCodes.late.code,
      expect.stringContaining("cli-late is not ready yet"),
    ]);
    await free();
    const [ready] = await Promise.all([wait("cli-ready"), change("cli-ready", { readyAt: new Date() })]);
    expect([ready.code, ready.stderr]).toEqual([ok.code, expect.stringMatching(/cli-ready: ready, id/)]);
    await free();
    const [released] = await Promise.all([
      wait("cli-gone"),
      change("cli-gone", { releaseRequestedAt: new Date() }),
    ]);
    expect([released.code, released.stderr]).toEqual([
      exitCodes.otherwise.code,
      expect.stringContaining("cli-gone was released before it was ready"),
    ]);
    await free();
    await database().hostRun.update({ where: { hostId }, data: { allocatable: false } });
  });
  it("needs to be told of what, and takes an exact host only from a tenant that may", async () => {
    const { id } = await host("Ready");
    expect((await tenant("create", "cli-any")).code).toBe(usage.code);
    expect((await tenant("create", "cli-any", "--sku", "none")).code).toBe(notFound.code);
    expect((await tenant("create", "cli-any", "--host", id, "--sku", "x")).code).toBe(usage.code);
    expect((await tenant("create", "cli-any", "--host", id)).code).toBe(forbidden.code);
    expect((await tenant("label", "cli-renamed", "nonsense")).code).toBe(usage.code);
    expect(await kinds(id)).toEqual([]);
    const { name } = await database().host.findUniqueOrThrow({ where: { id } });
    const repair = (...args: string[]) =>
      as("repair-tenant-admin", "instances", "create", "cli-fix", ...args);
    expect((await repair("--host", `${name}-not`)).code).toBe(notFound.code);
    expect(await repair("--host", name)).toMatchObject({ code: ok.code });
    expect(await kinds(id)).toEqual(["assign"]);
  });
  it("is repaired while its tenant keeps it: on, no release, off; and escalated", async () => {
    const { id: hostId } = await host("Ready");
    const skuId = randomUUID();
    await database().sku.create({ data: { id: skuId, name: "CLI-3", components: {} } });
    await database().host.update({ where: { id: hostId }, data: { skuId } });
    expect((await tenant("create", "cli-sick", "--sku", "CLI-3")).code).toBe(ok.code);
    await database().signal.deleteMany({ where: { hostId } });
    await world().put(hostId, "Assigned/Ready");
    const on = [
      "repair",
      "on",
      "cli-sick",
      "--issue",
      "Hardware",
      "--summary",
      "GPU 3 fails",
      "--details",
      "Xid 79",
    ];
    const risks = ["data-corruption-risk", "repair-team-access", "instance-deletion-risk"].map(
      (each) => `--accept-${each}`,
    );
    const status = async () => JSON.parse((await tenant("show", "cli-sick", "-o", "json")).stdout).status;
    const lacking = await tenant(...on, "--allow-deletion", "no", ...risks.slice(1));
    expect([lacking.code, lacking.stderr]).toEqual([
      usage.code,
      expect.stringContaining("--accept-data-corruption-risk"),
    ]);
    expect((await tenant(...on, "--allow-deletion", "no", ...risks)).code).toBe(ok.code);
    expect(await status()).toBe("Repairing");
    const refused = await as("tenant-admin", "release", "cli-sick", "--yes");
    expect([refused.code, refused.stderr]).toEqual([
      notNow.code,
      expect.stringContaining("clear online repair first"),
    ]);
    expect((await as("auditor", "instances", "repair", "off", "cli-sick")).code).toBe(forbidden.code);
    expect((await tenant("repair", "off", "cli-sick")).code).toBe(ok.code);
    expect(await status()).toBe("Ready");
    expect((await tenant("repair", "off", "cli-sick")).code).toBe(notNow.code);
    await tenant(...on, "--allow-deletion", "yes", ...risks);
    expect((await tenant("repair", "escalate", "cli-sick")).code).toBe(usage.code);
    expect((await tenant("repair", "escalate", "cli-sick", "--yes")).code).toBe(ok.code);
    expect(await status()).toBe("Terminating");
    expect(await kinds(hostId)).toEqual(["release"]);
  });
  it.each(["operator", "provider-admin", "auditor"] as const)(
    "is its tenant's own: refused to %s",
    async (role) => {
      for (const args of [
        ["available"],
        ["create", "cli-not", "--host", randomUUID()],
        ["rename", "cli-renamed", "cli-not"],
        ["label", "cli-renamed", "a=1"],
      ])
        expect({ args, code: (await as(role, "instances", ...args)).code }).toEqual({
          args,
          code: forbidden.code,
        });
    },
  );
});
