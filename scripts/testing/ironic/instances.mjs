// A node with an instance: ending the instance, the node's history, interfaces and BIOS settings, and what is refused.
import { assert, has } from "./check.mjs";
import { reaches } from "./polls.mjs";

/** @typedef {{ client: import("./client.mjs").Client, reader: import("./client.mjs").Client, held: string }} World */

/** @type {[string, (world: World) => Promise<void>][]} */
export const instances = [
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
