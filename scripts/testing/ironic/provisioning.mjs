// Provisioning verbs on one node: manage, provide, clean and abort.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, has } from "./check.mjs";
import { reaches } from "./polls.mjs";

/** @typedef {{ client: import("./client.mjs").Client, folder: string }} World */

export const steps = JSON.stringify([{ interface: "deploy", step: "erase_devices_metadata" }]);
/** Stops until somebody resumes it. */
const held = JSON.stringify([{ interface: "power", step: "hold" }]);

/** @type {[string, (world: World) => Promise<void>][]} */
export const provisioning = [
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
];
