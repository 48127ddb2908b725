// A boot override or power state that the BMC declines to change, or does not change, is a leftover; any other error ends the call.
import { expect, it } from "vitest";
import { removeLeftovers } from "@/server/controller/effects/leftover-calls";
import type { BmcTarget, HardwareError, HardwareType } from "@/server/hardware/interfaces";
import { clientForTests, typeOf } from "@/server/hardware/redfish/testing/setup";

const target: BmcTarget = {
  hostId: "host-1",
  address: "http://bmc.localhost",
  username: "reclaim",
  password: "p",
  links: null,
  powerState: null,
};
const options = () => ({ timeoutMs: 1_000 });

/** Runs the part `remove` against a BMC that fails at the boot override with this error. */
async function removed(error: HardwareError) {
  const { client } = clientForTests();
  const base = typeOf(client, "redfish");
  const type: HardwareType = {
    ...base,
    leftovers: {
      look: async () => ({ ok: true, value: [] }),
      remove: async () => ({ ok: true, value: [] }),
      removeOwnAccount: async () => ({ ok: true, value: [] }),
    },
    management: { setBootOnce: async () => ({ ok: false, error }) },
    power: {
      ...base.power,
      read: async () => ({
        ok: true,
        value: {
          power: "off",
          bootOverride: { source: "none", enabled: false },
          serial: "S1",
          uuid: "u",
          manufacturer: "Acme",
          model: "M",
          resetMark: null,
        },
      }),
    },
  };
  try {
    return await removeLeftovers(type, target, options, { part: "remove", sent: false });
  } finally {
    await client.close();
  }
}

it.each([403, 409, 423, 428])("a refusal by answer %i stands by itself", async (status) => {
  const ended = await removed({
    kind: "refused",
    message: `answered ${status}`,
    unknownOutcome: false,
    status,
  });
  expect(ended).toMatchObject({
    status: "done",
    value: [{ kind: "bootOverride", outcome: "refused", message: `answered ${status}` }, { kind: "power" }],
  });
});

it.each(["failed", "ignored"] as const)("what it took and did not do (%s) stands by itself", async (kind) =>
  expect(await removed({ kind, message: "is still on", unknownOutcome: false })).toMatchObject({
    status: "done",
    value: [{ kind: "bootOverride", outcome: "refused", message: "is still on" }, { kind: "power" }],
  }),
);

it.each([
  { kind: "refused", message: "the permit for it was refused", unknownOutcome: false, status: null },
  { kind: "refused", message: "answered 401", unknownOutcome: false, status: 401 },
  { kind: "unreachable", message: "no answer", unknownOutcome: false },
] as const)("$message ends the call", async (error) =>
  expect(await removed(error)).toMatchObject({ status: "failed", error: { kind: error.kind } }),
);
