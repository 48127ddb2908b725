// The command against a real server: decommission, leftovers, and gone hosts.
import { expect, it } from "vitest";
import { exitCodes } from "@/cli/exit-codes";
import { commandByRole } from "@/cli/testing/against-server";
import type { Leftover } from "@/server/domain/hosts/decommission/leftovers";
import { emptyContext } from "@/server/domain/lifecycle/context";
import type { ConsoleServer } from "@/server/surfaces/web/testing/console-server";

const { as, database, started } = commandByRole();
const world = () => started().server.world;

const operator = (...args: string[]) => as("operator", ...args);
const signals = async (hostId: string) =>
  (await database().signal.findMany({ where: { hostId } })).map(({ kind, payload }) => ({ kind, payload }));
async function host(name: string, state: Parameters<ConsoleServer["world"]["put"]>[1]): Promise<string> {
  const id = await world().host(name);
  await world().put(id, state);
  return id;
}

it("decommissions with a reason, after it has said what will happen", async () => {
  const id = await host("leave-1", "Manageable");
  const missing = await operator("hosts", "decommission", "leave-1", "--yes");
  expect(missing.code).toBe(exitCodes.usage.code);
  const unasked = await operator("hosts", "decommission", "leave-1", "--reason", "sold");
  expect(unasked.stderr).toContain("leaves allocation now");
  expect(await signals(id)).toEqual([]);
  const args = ["hosts", "decommission", "leave-1", "--reason", "sold", "--keep-account", "--yes"];
  expect((await operator(...args)).code).toBe(exitCodes.ok.code);
  expect(await signals(id)).toMatchObject([
    { kind: "decommission", payload: { reason: "sold", keepAccount: true } },
  ]);
});

it.each(["auditor", "tenant-admin", "repair-tenant-admin"] as const)("is refused to %s", async (role) => {
  const id = await host(`refused-${role}`, "Manageable");
  for (const act of ["decommission", "accept-leftovers"])
    expect((await as(role, "hosts", act, `refused-${role}`, "--reason", "x", "--yes")).code).not.toBe(
      exitCodes.ok.code,
    );
  expect(await signals(id)).toEqual([]);
});

it("lists leftovers, and accepts those that stand", async () => {
  const id = await host("leave-2", "Failed/LeftoversRemain");
  const line = (what: string, outcome: Leftover["outcome"]): Leftover => ({
    kind: "account",
    what,
    outcome,
    message: null,
    accepted: null,
  });
  const leaving = {
    by: { personId: null, name: "Olga" },
    reason: "sold",
    at: "2026-11-22T08:00:00.000Z",
    keepAccount: false,
    leftovers: [line("account tenant", "refused"), line("account monitor", "removed")],
  };
  await database().hostRun.update({
    where: { hostId: id },
    data: { context: JSON.parse(JSON.stringify({ ...emptyContext(), leaving })) },
  });
  const listed = await operator("hosts", "leftovers", "leave-2", "-o", "json");
  expect(JSON.parse(listed.stdout)).toMatchObject([
    { what: "account tenant", outcome: "refused" },
    { what: "account monitor", outcome: "removed" },
  ]);
  const unknown = await operator("hosts", "accept-leftovers", "leave-2", "x", "--reason", "y", "--yes");
  expect(unknown.code).toBe(exitCodes.notFound.code);
  const accepted = await operator("hosts", "accept-leftovers", "leave-2", "--reason", "reset", "--yes");
  expect(accepted.code).toBe(exitCodes.ok.code);
  expect(await signals(id)).toMatchObject([
    { kind: "acceptLeftovers", payload: { keys: ["account: account tenant"], reason: "reset" } },
  ]);
});

it("shows a host that has left, by name, id and serial number, and lists it", async () => {
  const id = await host("left-1", "Manageable");
  const { serial } = await database().host.findUniqueOrThrow({ where: { id } });
  await database().host.delete({ where: { id } });
  for (const text of ["left-1", id, serial ?? ""]) {
    const shown = await operator("hosts", "show", text);
    expect(shown.stdout).toContain("gone: deleted, nothing was proven");
  }
  const listed = await operator("hosts", "gone", "left-1", "-o", "json");
  expect(JSON.parse(listed.stdout)).toMatchObject([{ name: "left-1", how: "deleted" }]);
  expect((await operator("hosts", "show", "never-was")).code).toBe(exitCodes.notFound.code);
  expect((await as("tenant-admin", "hosts", "gone")).code).toBe(exitCodes.forbidden.code);
});
