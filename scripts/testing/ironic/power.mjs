// Maintenance, power and boot settings of nodes.
import { setTimeout as pause } from "node:timers/promises";
import { assert, has } from "./check.mjs";
import { lookEveryMs, shows } from "./polls.mjs";
import { steps } from "./provisioning.mjs";

/** @typedef {{ client: import("./client.mjs").Client }} World */

/**
 * Free machines of the fleet, one after the other and each in `manageable`, for what a node without a machine does not support; the demo's
 * people may take one first.
 * @param {import("./client.mjs").Client} client
 */
async function* freeMachines(client) {
  const fields = ["uuid", "driver", "boot_mode", "secure_boot"];
  const available = ["--provision-state", "available", "--no-maintenance"];
  const free = await client.json(["node", "list", ...available, "--fields", ...fields]);
  for (const row of free) {
    if (row.Driver === "fake-hardware" || row["Boot Mode"] === null || row["Secure Boot"] === null) continue;
    const { code } = await client.run(["node", "manage", row.UUID, "--wait", "60"]);
    if (code === 0) yield row;
  }
}

/**
 * Sets how a machine boots, as a person would, and reads it back.
 * @param {import("./client.mjs").Client} client
 * @param {{ UUID: string, "Boot Mode": string, "Secure Boot": boolean }} row
 */
async function setBoot(client, { UUID: node, "Boot Mode": mode, "Secure Boot": secure }) {
  const device = ["node", "boot", "device"];
  const { supported_boot_devices: offered } = await client.json([...device, "show", "--supported", node]);
  for (const name of ["pxe", "disk"]) assert.ok(offered.split(", ").includes(name), offered);
  await client.ok([...device, "set", node, "pxe"]);
  await shows(client, [...device, "show", node], { boot_device: "pxe" });
  await client.ok([...device, "set", node, "disk", "--persistent"]);
  await shows(client, [...device, "show", node], { boot_device: "disk", persistent: true });
  await client.refused([...device, "set", node, "safe"], /Invalid boot device safe.*HTTP 400/);

  await client.ok(["node", "boot", "mode", "set", node, mode]);
  const secureBoot = ["node", "show", node, "--fields", "boot_mode", "secure_boot", "last_error"];
  for (const on of [!secure, secure]) {
    await client.ok(["node", "secure", "boot", on ? "on" : "off", node]);
    await shows(client, secureBoot, { boot_mode: mode, secure_boot: on, last_error: null });
  }
}

/** @type {[string, (world: World) => Promise<void>][]} */
export const power = [
  [
    "node maintenance set, unset",
    async ({ client }) => {
      await client.ok(["node", "maintenance", "set", "one", "--reason", "a fan"]);
      has(await client.json(["node", "show", "one"]), { maintenance: true, maintenance_reason: "a fan" });
      await client.refused(["node", "clean", "one", "--clean-steps", steps], /HTTP 400/);
      await client.ok(["node", "maintenance", "set", "one"]);
      await client.ok(["node", "maintenance", "unset", "one"]);
      await client.ok(["node", "maintenance", "unset", "one"]);
      has(await client.json(["node", "show", "one"]), {
        maintenance: false,
        maintenance_reason: null,
        fault: null,
      });
    },
  ],
  [
    "node power off, on, node reboot",
    async ({ client }) => {
      /** @param {string} state */
      const powered = async (state) => {
        const until = Date.now() + 60_000;
        while (
          (await client.json(["node", "show", "one", "--fields", "power_state"])).power_state !== state
        ) {
          if (Date.now() > until) throw new Error(`the power is not ${state}`);
          await pause(lookEveryMs);
        }
      };
      await client.ok(["node", "power", "off", "one"]);
      await powered("power off");
      await client.ok(["node", "power", "on", "one"]);
      await powered("power on");
      await client.ok(["node", "reboot", "one"]);
      await powered("power on");
    },
  ],
  [
    "node boot device, boot mode, secure boot, inject nmi, power off --soft",
    async ({ client }) => {
      const device = ["node", "boot", "device"];
      await client.refused([...device, "set", "one", "pxe"], /does not support set_boot_device.*HTTP 400/);
      await client.refused(["node", "boot", "mode", "set", "one", "uefi"], /does not support.*HTTP 400/);
      let node = "";
      for await (const row of freeMachines(client)) {
        const said = await setBoot(client, row).catch((error) => error);
        if (said === undefined) {
          node = row.UUID;
          break;
        }
        // The BMC of a cleaned machine is locked down, and some BMCs have no persistent boot device: both say so.
        if (!/lockdown mode|The value Continuous .* is not in the list/.test(String(said))) throw said;
        await client.ok(["node", "provide", row.UUID]);
      }
      assert.notEqual(node, "", "no machine is free whose BMC takes all of it");

      const power = ["node", "show", node, "--fields", "power_state", "target_power_state", "last_error"];
      await client.ok(["node", "power", "on", node]);
      await shows(client, power, { power_state: "power on", target_power_state: null });
      await client.ok(["node", "inject", "nmi", node]);
      await client.refused(["node", "inject", "nmi", "one"], /does not support inject_nmi.*HTTP 400/);
      await client.ok(["node", "power", "off", "--soft", "--power-timeout", "600", node]);
      const off = { power_state: "power off", target_power_state: null, last_error: null };
      await shows(client, power, off, 120);
      await client.ok(["node", "provide", node]);
    },
  ],
];
