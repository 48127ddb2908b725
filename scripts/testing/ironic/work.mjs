// What the client makes nodes do: provisioning verbs, cleaning, power, maintenance, and reading the results.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { assert, column, has } from "./check.mjs";

/** @typedef {{ client: import("./client.mjs").Client, reader: import("./client.mjs").Client, ids: Record<string, string>, fake: string, folder: string, held: string }} World */

const steps = JSON.stringify([{ interface: "deploy", step: "erase_devices_metadata" }]);
/** Stops until somebody resumes it. */
const held = JSON.stringify([{ interface: "power", step: "hold" }]);

const lookEveryMs = 200;

/** @param {import("./client.mjs").Client} client @param {string} node @param {string} state @param {number} [seconds] */
async function reaches(client, node, state, seconds = 60) {
  const until = Date.now() + seconds * 1_000;
  for (;;) {
    const shown = await client.json([
      "node",
      "show",
      node,
      "--fields",
      "provision_state",
      "last_error",
      "maintenance",
      "target_provision_state",
    ]);
    if (shown.provision_state === state) return shown;
    if (Date.now() > until)
      throw new Error(`${node} is ${shown.provision_state} and not ${state}: ${shown.last_error}`);
    await pause(lookEveryMs);
  }
}

/**
 * Polls a node until its output is as wanted.
 * @param {import("./client.mjs").Client} client @param {readonly string[]} command @param {Record<string, unknown>} wanted @param {number} [seconds]
 */
async function shows(client, command, wanted, seconds = 60) {
  const until = Date.now() + seconds * 1_000;
  for (;;) {
    const shown = await client.json(command);
    const differs = Object.entries(wanted).filter(([key, value]) => shown[key] !== value);
    if (differs.length === 0) return;
    if (Date.now() > until) {
      const all = ["node", "list", "--fields", "uuid", "provision_state", "power_state", "last_error"];
      const about = (await client.json(all)).filter((/** @type {{ UUID: string }} */ row) =>
        command.includes(row.UUID),
      );
      throw new Error(
        `${command.join(" ")}: ${JSON.stringify(shown)} and not ${JSON.stringify(wanted)}; ${JSON.stringify(about)}`,
      );
    }
    await pause(lookEveryMs);
  }
}

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
export const work = [
  [
    "node manage --wait",
    async ({ client }) => {
      await client.ok(["node", "manage", "one", "--wait", "60"]);
      has(await client.json(["node", "show", "one"]), {
        provision_state: "manageable",
        target_provision_state: null,
      });
      await client.refused(["node", "manage", "one"], /HTTP 400/);
      await client.ok(["node", "inspect", "one", "--wait", "60"]);
      assert.notEqual((await client.json(["node", "show", "one"])).inspection_finished_at, null);
    },
  ],
  [
    "node provide --wait",
    async ({ client }) => {
      await client.ok(["node", "provide", "one", "--wait", "60"]);
      has(await client.json(["node", "show", "one"]), {
        provision_state: "available",
        target_provision_state: null,
      });
      await client.refused(["node", "provide", "one"], /HTTP 400/);
      await client.refused(["node", "clean", "one", "--clean-steps", steps], /HTTP 400/);
    },
  ],
  [
    "node clean: steps as text, file and standard input",
    async ({ client, folder }) => {
      await client.ok(["node", "manage", "one", "--wait", "60"]);
      await client.ok(["node", "clean", "one", "--clean-steps", steps, "--wait", "120"]);
      const file = join(folder, "steps.json");
      writeFileSync(file, steps);
      await client.ok(["node", "clean", "one", "--clean-steps", file, "--wait", "120"]);
      await client.ok(["node", "clean", "one", "--clean-steps", "-"], steps);
      await reaches(client, "one", "manageable");
    },
  ],
  [
    "node clean: steps of the wrong shape",
    async ({ client }) => {
      for (const wrong of [
        '[{"step": "erase_devices"}]',
        '[{"interface": "nowhere", "step": "erase_devices"}]',
        "[]",
        '[{"interface": "deploy", "step": "erase_devices", "more": 1}]',
      ]) {
        await client.refused(["node", "clean", "one", "--clean-steps", wrong], /HTTP 400/);
      }
      has(await client.json(["node", "show", "one"]), { provision_state: "manageable" });
    },
  ],
  [
    "node clean: an unknown step, an argument too many: clean failed, no maintenance",
    async ({ client }) => {
      for (const wrong of [
        '[{"interface": "deploy", "step": "no_such_step"}]',
        '[{"interface": "deploy", "step": "erase_devices_metadata", "args": {"no_such": 1}}]',
      ]) {
        await client.ok(["node", "clean", "one", "--clean-steps", wrong]);
        const shown = await reaches(client, "one", "clean failed");
        assert.match(shown.last_error, /no_such/);
        has(shown, { maintenance: false, target_provision_state: "manageable" });
        await client.refused(["node", "provide", "one"], /HTTP 400/);
        await client.ok(["node", "manage", "one", "--wait", "60"]);
      }
    },
  ],
  [
    "node abort",
    async ({ client }) => {
      await client.ok(["node", "clean", "one", "--clean-steps", held]);
      await reaches(client, "one", "clean hold");
      await client.ok(["node", "abort", "one"]);
      const shown = await reaches(client, "one", "clean failed");
      has(shown, { maintenance: false });
      assert.match(shown.last_error, /abort/i);
      await client.ok(["node", "manage", "one", "--wait", "60"]);
      await client.refused(["node", "abort", "one"], /HTTP 400/);
    },
  ],
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
  [
    "node undeploy --wait: the instance ends, and its host comes back cleaned",
    async ({ client, held: node }) => {
      has(await client.json(["node", "show", node]), { provision_state: "active" });
      await client.refused(["--max-retries", "1", "node", "delete", node], /HTTP 409|associated/);
      await client.ok(["node", "undeploy", node]);
      const leaving = await client.json(["node", "show", node]);
      assert.notEqual(leaving.provision_state, "active");
      // On a busy machine, a command may take longer than the whole cleaning of this fast fleet; then the node is available already.
      if (leaving.provision_state !== "available") has(leaving, { target_provision_state: "available" });
      await client.refused(["--max-retries", "1", "node", "provide", node], /HTTP 4\d\d/);
      const stateNow = async () =>
        (await client.json(["node", "show", node, "--fields", "provision_state"])).provision_state;
      const until = Date.now() + 120_000;
      let state = await stateNow();
      for (; !/^(clean|available)/.test(state); state = await stateNow())
        if (Date.now() > until) throw new Error(`it is not cleaned: ${state}`);
      // Refused during cleaning, but that may be over before the command has started.
      await client.refused(["node", "power", "off", node], /HTTP 400/).catch(async (error) => {
        if ((await stateNow()) !== "available") throw error;
      });
      await reaches(client, node, "available", 300);
      const [other] = await client.json(["node", "list", "--provision-state", "active"]);
      await client.ok(["node", "undeploy", other.UUID, "--wait", "300"]);
      has(await client.json(["node", "show", other.UUID]), {
        provision_state: "available",
        instance_uuid: null,
      });
    },
  ],
  [
    "node history list, get",
    async ({ client, held: node }) => {
      const rows = await client.json(["node", "history", "list", node]);
      assert.ok(rows.length > 0);
      const long = await client.json(["node", "history", "list", node, "--long"]);
      assert.equal(long.length, rows.length);
      assert.ok(
        long.some((/** @type {any} */ row) =>
          /erase_/.test(row["Description of the event"] ?? row.Event ?? JSON.stringify(row)),
        ),
        `no row of an erase: ${JSON.stringify(long).slice(0, 800)}`,
      );
      has(await client.json(["node", "history", "get", node, rows[0].UUID]), { uuid: rows[0].UUID });
      await client.refused(
        ["node", "history", "get", node, "6f2f4c1e-6d5c-4a6b-9a38-0d8d3f5a9aff"],
        /HTTP 404/,
      );
    },
  ],
  [
    "node validate",
    async ({ client, held: node }) => {
      const rows = await client.json(["node", "validate", node]);
      // For the network, the fleet's network controller is asked.
      for (const name of ["power", "network"])
        has(
          rows.find((/** @type {any} */ row) => row.Interface === name),
          { Result: true },
        );
    },
  ],
  [
    "node bios setting list",
    async ({ client, held: node }) => {
      assert.ok(Array.isArray(await client.json(["node", "bios", "setting", "list", node])));
    },
  ],
  [
    "node deploy, adopt, rebuild: not offered",
    async ({ client }) => {
      for (const verb of [["deploy"], ["adopt"], ["rebuild"]])
        await client.refused(["node", ...verb, "one"], /HTTP 400/);
    },
  ],
  [
    "a reader may look and not act",
    async ({ reader }) => {
      assert.ok((await reader.json(["node", "list"])).length > 0);
      await reader.refused(["node", "provide", "one"], /HTTP 403/);
      await reader.refused(["node", "set", "one", "--description", "x"], /HTTP 403/);
      await reader.refused(["node", "create", "--driver", "fake-hardware"], /HTTP 403/);
    },
  ],
];

/** @type {[string, (world: World) => Promise<void>][]} */
export const around = [
  [
    "driver list, show, property list",
    async ({ client }) => {
      const drivers = column(await client.json(["driver", "list"]), "Supported driver(s)");
      for (const driver of ["redfish", "idrac", "fake-hardware"])
        assert.ok(drivers.includes(driver), `${driver} is not among ${drivers}`);
      has(await client.json(["driver", "show", "redfish"]), { name: "redfish" });
      assert.ok(
        column(await client.json(["driver", "property", "list", "redfish"]), "Property").includes(
          "redfish_address",
        ),
      );
      await client.refused(["driver", "show", "no-such-driver"], /HTTP 404/);
    },
  ],
  [
    "conductor list, show",
    async ({ client }) => {
      const [conductor] = await client.json(["conductor", "list"]);
      has(conductor, { Alive: true });
      has(await client.json(["conductor", "show", conductor.Hostname]), {
        hostname: conductor.Hostname,
        alive: true,
      });
    },
  ],
  [
    "allocation, chassis, port group and deploy template list",
    async ({ client }) => {
      const allocations = await client.json(["allocation", "list"]);
      assert.ok(allocations.length > 0);
      has(await client.json(["allocation", "show", allocations[0].UUID]), {
        uuid: allocations[0].UUID,
        state: "active",
      });
      for (const kind of [
        ["chassis"],
        ["port", "group"],
        ["deploy", "template"],
        ["volume", "connector"],
        ["volume", "target"],
      ]) {
        assert.deepEqual(await client.json([...kind, "list"]), []);
        const none = "6f2f4c1e-6d5c-4a6b-9a38-0d8d3f5a9aff";
        await client.refused([...kind, "show", none], new RegExp(`${none} could not be found.*HTTP 404`));
      }
    },
  ],
  [
    "driver passthru list, call: there is none",
    async ({ client }) => {
      assert.deepEqual(await client.json(["driver", "passthru", "list", "redfish"]), []);
      await client.refused(
        ["driver", "passthru", "call", "redfish", "subscribe"],
        /redfish does not support vendor_passthru.*HTTP 400/,
      );
      await client.refused(["driver", "passthru", "list", "no-such-driver"], /could not be found.*HTTP 404/);
    },
  ],
  [
    "versions: an older one hides, one that is too new is negotiated",
    async ({ client }) => {
      await client.refused(
        ["--os-baremetal-api-version", "1.11", "node", "show", "one", "--fields", "description"],
        /HTTP 406|not supported/i,
      );
      assert.ok((await client.json(["--os-baremetal-api-version", "1.60", "node", "list"])).length > 0);
    },
  ],
  [
    "a wrong password",
    async ({ client }) => {
      const { Client } = await import("./client.mjs");
      await new Client(client.env.OS_ENDPOINT, { email: client.env.OS_USERNAME, password: "wrong" }).refused(
        ["node", "list"],
        /401/,
      );
    },
  ],
];
