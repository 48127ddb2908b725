// A restart that must be proven, by the reset mark or by off and on (docs/adr/0020-a-boot-is-proven.md).
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BmcTarget } from "@/server/hardware/interfaces";
import { clientForTests, discoveredTarget, typeOf, within } from "@/server/hardware/redfish/testing/setup";
import { TreeBmc, type TreeName } from "@/server/hardware/redfish/testing/tree-bmc";

let bmc: TreeBmc;

let fixture: ReturnType<typeof clientForTests>;

let target: BmcTarget;

async function start(tree: TreeName) {
  bmc = await TreeBmc.start(tree);
  fixture = clientForTests();
  target = await discoveredTarget(bmc, fixture.client);
}

const power = () => typeOf(fixture.client, "redfish").power;

beforeEach(() => start("lenovo"));

afterEach(async () => {
  await bmc.stop();
  await fixture.client.close();
});

describe("a restart that must be proven", () => {
  const restart = async (
    changes: { readonly powerCycle?: boolean; readonly offAndOn?: boolean } = {},
    options = within,
  ) => {
    const before = await power().read(target, within);
    if (!before.ok) throw new Error("the system cannot be read");
    bmc.takeLines();
    return power().restart(
      target,
      { before: before.value, powerCycle: false, offAndOn: false, ...changes },
      options,
    );
  };
  const types = () =>
    bmc.received
      .filter(({ method }) => method === "POST")
      .map(({ body }) => String((JSON.parse(body) as { ResetType: string }).ResetType));

  it("is one POST and one GET where the BMC tells when the host was reset last", async () => {
    await bmc.stop();
    await start("dell");
    const result = await restart();
    expect(result).toMatchObject({
      ok: true,
      value: { proof: "resetMark", system: { resetMark: bmc.lastReset } },
    });
    expect(types()).toEqual(["ForceRestart"]);
    expect(bmc.takeLines()).toHaveLength(2);
  });

  it("is no success where the BMC takes it and the time of the last reset stays", async () => {
    await bmc.stop();
    await start("dell");
    bmc.tellsResets = false;
    const result = await restart({}, { timeoutMs: 20_000 });
    expect(result).toMatchObject({
      ok: false,
      error: {
        kind: "failed",
        unknownOutcome: true,
        message: expect.stringContaining(
          "LastResetTime reads 2024-06-11T00:14:47-05:00, before 2024-06-11T00:14:47-05:00",
        ),
      },
    });
  });

  it.each([
    ["the BMC tells of no resets", "lenovo", {}],
    ["one by the time could not be confirmed", "dell", { offAndOn: true }],
  ] as const)("is off, read as off, and on, where %s", async (_what, tree, changes) => {
    await bmc.stop();
    await start(tree);
    expect(await restart(changes)).toMatchObject({
      ok: true,
      value: { proof: "powerOff", system: { power: "on" } },
    });
    expect(types()).toEqual(["ForceOff", "On"]);
  });

  it("is no success where the host does not go off", async () => {
    bmc.acts = false;
    expect(await restart({}, { timeoutMs: 20_000 })).toMatchObject({
      ok: false,
      error: { kind: "failed", unknownOutcome: true },
    });
    expect(types()).toEqual(["ForceOff"]);
  });

  it("of a host that is off is to switch it on", async () => {
    bmc.power = "Off";
    expect(await restart()).toMatchObject({ ok: true, value: { proof: "powerOff" } });
    expect(types()).toEqual(["On"]);
  });
});
