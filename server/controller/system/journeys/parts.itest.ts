// Parts of a simulated host over a return: a swapped GPU stops it until two people accept it, a lost or degraded one until it is back.
import { afterAll, beforeAll, expect, it } from "vitest";
import { hashPassword } from "@/server/db/secrets/passwords";
import { assign, granted, onboard, perform, release } from "@/server/testing/acts";
import type { Faults } from "@/server/testing/fleet-control";
import { hostRow, waitForState } from "@/server/testing/hosts";
import { startStack, type Stack } from "@/server/testing/stack";
import { decideApprovals } from "@/server/usecases/assurance/approvals/decide-approvals";
import { inspectHost } from "@/server/usecases/hosts/acts/inspect-host";
import { acceptParts } from "@/server/usecases/hosts/parts/accept-parts";
import { getParts } from "@/server/usecases/hosts/parts/get-parts";

const password = "fourteen gates";
const slot = "0000:b1:00.0";
let stack: Stack;
let hostId = "";
let serial = "";

beforeAll(async () => {
  stack = await startStack({ hosts: 2, speed: 600 });
  const { database } = stack.world.backend;
  await database.person.updateMany({ data: { passwordHash: await hashPassword(password) } });
  const machine = stack.machines.find(({ vendor }) => vendor === "lenovo");
  if (machine === undefined) throw new Error("the fleet has no Lenovo host");
  serial = machine.serial;
  [hostId = ""] = await onboard(stack, [machine]);
});
afterAll(() => stack?.stop());

const partsOf = async () =>
  granted(await getParts(stack.world.backend, stack.world.actor("operator"), { hostId }));

/** A tenant has the host, something happens to its parts, and it comes back. Returns why it stops. */
async function returned(parts: Faults["parts"]): Promise<string> {
  const [instance = ""] = await assign(stack, [hostId]);
  await stack.fleet.fault(serial, { parts: parts ?? null });
  await release(stack, [instance]);
  await waitForState(stack, hostId, "BomValidating/SkuVerificationFailed");
  return (await hostRow(stack, hostId)).last_error ?? "";
}

it("has the parts that its SKU names, and remembers them", async () => {
  const { sources, changes, notCompared, knownAt } = await partsOf();
  expect(sources.find(({ source }) => source === "agent")?.found).toHaveLength(20);
  const gpus = sources.map(({ source, found }) => [
    source,
    ...found.flatMap(({ kind, serial }) => (kind === "gpu" ? [serial] : [])).sort(),
  ]);
  // Agent and BMC show the same.
  expect(gpus.map(([source]) => source)).toEqual(["agent", "bmc"]);
  expect(gpus[0]?.slice(1)).toEqual(gpus[1]?.slice(1));
  expect({ changes, notCompared }).toEqual({ changes: [], notCompared: [] });
  expect(knownAt).not.toBeNull();
});

it("a swapped GPU stops it with both serial numbers, until another person signs what one recorded", async () => {
  const before = (await partsOf()).sources.flatMap(({ found }) => found).find((each) => each.slot === slot);
  const said = await returned({ [slot]: { replaced: 1 } });
  const now = (await partsOf()).sources.flatMap(({ found }) => found).find((each) => each.slot === slot);
  expect(said).toContain(
    `GPU in slot ${slot}: serial ${before?.serial ?? ""} (NVIDIA RTX A6000) before, serial ${now?.serial ?? ""} (NVIDIA RTX A6000) now`,
  );
  const { evidence } = await partsOf();
  await perform(stack, "operator", acceptParts, { hostId, evidence, reason: "RMA 4711" });
  const { database } = stack.world.backend;
  const { id, evidence: seen } = await database.approval.findFirstOrThrow({ where: { hostId } });
  expect((await hostRow(stack, hostId)).state).toBe("BomValidating/SkuVerificationFailed");
  const input = { approvals: [{ id, evidence: seen }], decision: "approved" as const, reason: "", password };
  const own = await decideApprovals(
    stack.world.backend,
    stack.world.actor("operator"),
    stack.world.request(),
    input,
  );
  expect(own.ok).toBe(false);
  granted(
    await decideApprovals(
      stack.world.backend,
      stack.world.actor("provider-admin"),
      stack.world.request(),
      input,
    ),
  );
  await waitForState(stack, hostId, "Ready");
  const { changes, statements } = await partsOf();
  expect(changes).toEqual([]);
  expect(statements).toMatchObject([{ status: "taken", reason: "RMA 4711" }]);
});

it("a GPU that its driver lost, with a slow link beside it, stops it until both are repaired", async () => {
  const faults = { [slot]: { lost: "driver", replaced: 1 }, "0000:4b:00.0": { lanes: 4 } };
  const said = await returned(faults);
  expect(said).toMatch(/GPU in slot 0000:b1:00\.0 .*nvidia-smi does not list it: the GPU is lost/);
  expect(said).toMatch(/GPU in slot 0000:4b:00\.0 .*its PCIe link has 4 of 16 lanes/);
  await stack.fleet.fault(serial, { parts: { [slot]: { replaced: 1 } } });
  await perform(stack, "operator", inspectHost, { hostId });
  await waitForState(stack, hostId, "Ready");
});
