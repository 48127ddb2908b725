// Nodes as records: creating, listing, showing, changing and deleting them with the client.
import { assert, column, has } from "./check.mjs";

/** @typedef {{ client: import("./client.mjs").Client, reader: import("./client.mjs").Client, ids: Record<string, string>, fake: string }} World */

const create = ["node", "create", "--driver", "fake-hardware"];

/** In the order in which a user works: each test continues from the previous one. @type {[string, (world: World) => Promise<void>][]} */
export const nodes = [
  [
    "node create",
    async ({ client, ids }) => {
      const made = await client.json([
        ...create,
        "--name",
        "one",
        "--property",
        "cpus=4",
        "--property",
        'capabilities={"a": 1}',
        "--extra",
        "owner=me",
        "--resource-class",
        "baremetal",
      ]);
      has(made, {
        name: "one",
        driver: "fake-hardware",
        provision_state: "enroll",
        power_state: null,
        maintenance: false,
        resource_class: "baremetal",
      });
      has(made.properties, { cpus: 4 });
      ids["one"] = made.uuid;
      for (const name of ["two", "three"]) ids[name] = (await client.json([...create, "--name", name])).uuid;
    },
  ],
  [
    "node create with a uuid of its own",
    async ({ client, ids }) => {
      const uuid = "6f2f4c1e-6d5c-4a6b-9a38-0d8d3f5a9a01";
      has(await client.json([...create, "--uuid", uuid, "--name", "four"]), { uuid });
      ids["four"] = uuid;
    },
  ],
  [
    "node create: a name twice, a driver that is not there",
    async ({ client }) => {
      await client.refused(["--max-retries", "1", ...create, "--name", "one"], /HTTP 409/);
      await client.refused(["node", "create", "--driver", "no-such-driver"], /HTTP 400/);
    },
  ],
  [
    "node list",
    async ({ client, ids }) => {
      const rows = await client.json(["node", "list"]);
      const one = rows.find((/** @type {any} */ row) => row.UUID === ids["one"]);
      has(one, { Name: "one", "Provisioning State": "enroll", Maintenance: false });
    },
  ],
  [
    "node list --long",
    async ({ client, ids }) => {
      const rows = await client.json(["node", "list", "--long"]);
      has(
        rows.find((/** @type {any} */ row) => row.UUID === ids["one"]),
        { Name: "one", Driver: "fake-hardware", "Resource Class": "baremetal" },
      );
    },
  ],
  [
    "node list --fields",
    async ({ client, ids }) => {
      const rows = await client.json(["node", "list", "--fields", "uuid", "name", "extra"]);
      assert.deepEqual(
        rows.find((/** @type {any} */ row) => row.UUID === ids["one"]),
        { UUID: ids["one"], Name: "one", Extra: { owner: "me" } },
      );
    },
  ],
  [
    "node list by state, driver, class, maintenance, instance",
    async ({ client, ids }) => {
      /** @param {readonly string[]} filter */
      const names = async (filter) => column(await client.json(["node", "list", ...filter]), "Name");
      assert.deepEqual((await names(["--provision-state", "enroll", "--driver", "fake-hardware"])).sort(), [
        "four",
        "one",
        "three",
        "two",
      ]);
      assert.deepEqual(await names(["--resource-class", "baremetal"]), ["one"]);
      assert.ok(!(await names(["--maintenance"])).includes("one"));
      assert.ok((await names(["--no-maintenance"])).includes("one"));
      assert.ok((await names(["--unassociated"])).includes("one"));
      assert.ok(!(await names(["--associated"])).includes("one"));
      assert.ok((await names(["--associated"])).length > 0);
      assert.ok(ids["one"]);
      await client.refused(["node", "list", "--provision-state", "no-such-state"], /HTTP 400/);
    },
  ],
  [
    "node list by pages",
    async ({ client }) => {
      const all = column(await client.json(["node", "list", "--limit", "0"]), "UUID");
      assert.equal(new Set(all).size, all.length);
      assert.ok(all.length > 10);
      const first = column(await client.json(["node", "list", "--limit", "3"]), "UUID");
      assert.deepEqual(first, all.slice(0, 3));
      const second = column(
        await client.json(["node", "list", "--limit", "3", "--marker", first[2]]),
        "UUID",
      );
      assert.deepEqual(second, all.slice(3, 6));
      const sorted = column(
        await client.json(["node", "list", "--sort", "name:desc", "--fields", "name"]),
        "Name",
      );
      assert.deepEqual(sorted, [...sorted].sort().reverse());
    },
  ],
  [
    "node show",
    async ({ client, ids }) => {
      has(await client.json(["node", "show", "one"]), {
        uuid: ids["one"],
        name: "one",
        provision_state: "enroll",
        target_provision_state: null,
        clean_step: {},
        last_error: null,
        automated_clean: null,
      });
      assert.deepEqual(
        await client.json(["node", "show", ids["one"] ?? "", "--fields", "name", "provision_state"]),
        { name: "one", provision_state: "enroll" },
      );
      await client.refused(["node", "show", "nobody"], /HTTP 404/);
      await client.refused(["node", "show", "6f2f4c1e-6d5c-4a6b-9a38-0d8d3f5a9aff"], /HTTP 404/);
    },
  ],
  [
    "node show --instance",
    async ({ client }) => {
      const [held] = await client.json(["node", "list", "--associated", "--fields", "uuid", "instance_uuid"]);
      has(await client.json(["node", "show", "--instance", held["Instance UUID"]]), { uuid: held.UUID });
    },
  ],
  [
    "node set",
    async ({ client }) => {
      await client.ok([
        "node",
        "set",
        "one",
        "--property",
        "memory_mb=1024",
        "--extra",
        "rack=A1",
        "--description",
        "changed",
        "--owner",
        "ops",
        "--name",
        "uno",
        "--no-automated-clean",
      ]);
      const shown = await client.json(["node", "show", "uno"]);
      has(shown, { description: "changed", owner: "ops", automated_clean: false });
      assert.deepEqual(column(await client.json(["node", "list", "--owner", "ops"]), "UUID"), [shown.uuid]);
      has(shown.properties, { cpus: 4, memory_mb: 1024 });
      has(shown.extra, { owner: "me", rack: "A1" });
      await client.ok(["node", "set", "uno", "--name", "one"]);
      await client.refused(["--max-retries", "1", "node", "set", "one", "--name", "two"], /HTTP 409/);
      await client.refused(["node", "set", "one", "--driver", "no-such-driver"], /HTTP 400/);
    },
  ],
  [
    "node unset",
    async ({ client }) => {
      await client.ok([
        "node",
        "unset",
        "one",
        "--property",
        "memory_mb",
        "--extra",
        "rack",
        "--description",
        "--owner",
        "--automated-clean",
      ]);
      const shown = await client.json(["node", "show", "one"]);
      has(shown, { description: null, owner: null, automated_clean: null, extra: { owner: "me" } });
      assert.equal(shown.properties.memory_mb, undefined);
      await client.refused(["node", "unset", "one", "--property", "never-there"], /HTTP 400/);
    },
  ],
  [
    "trait list, add, remove",
    async ({ client }) => {
      await client.ok(["node", "add", "trait", "one", "CUSTOM_FAST", "CUSTOM_BIG"]);
      assert.deepEqual(
        column(await client.json(["node", "trait", "list", "one"]), "Traits")
          .flat()
          .sort(),
        ["CUSTOM_BIG", "CUSTOM_FAST"],
      );
      await client.ok(["node", "remove", "trait", "one", "CUSTOM_FAST"]);
      assert.deepEqual(column(await client.json(["node", "trait", "list", "one"]), "Traits").flat(), [
        "CUSTOM_BIG",
      ]);
      await client.refused(["node", "add", "trait", "one", "small letters"], /HTTP 400/);
      await client.ok(["node", "remove", "trait", "one", "--all"]);
      assert.deepEqual(column(await client.json(["node", "trait", "list", "one"]), "Traits").flat(), []);
    },
  ],
  [
    "port create, list, show, set, delete",
    async ({ client, ids }) => {
      const uuid = ids["one"] ?? "";
      const made = await client.json([
        "port",
        "create",
        "52:54:00:12:34:56",
        "--node",
        uuid,
        "--extra",
        "switch=a",
      ]);
      has(made, { address: "52:54:00:12:34:56", node_uuid: uuid });
      assert.deepEqual(await client.json(["port", "list", "--node", uuid]), [
        { UUID: made.uuid, Address: "52:54:00:12:34:56" },
      ]);
      assert.equal(
        (await client.json(["port", "list", "--address", "52:54:00:12:34:56", "--long"])).length,
        1,
      );
      await client.ok(["port", "set", made.uuid, "--extra", "switch=b"]);
      has(await client.json(["port", "show", made.uuid]), { extra: { switch: "b" } });
      await client.refused(
        ["--max-retries", "1", "port", "create", "52:54:00:12:34:56", "--node", uuid],
        /HTTP 409/,
      );
      await client.refused(["port", "create", "not-a-mac", "--node", uuid], /HTTP 400/);
      await client.ok(["port", "delete", made.uuid]);
      assert.deepEqual(await client.json(["port", "list", "--node", uuid]), []);
    },
  ],
];

/** Runs after all others. @type {[string, (world: World) => Promise<void>][]} */
export const nodesEnd = [
  [
    "node delete",
    async ({ client, ids }) => {
      await client.ok(["node", "delete", "two", ids["three"] ?? "", "four"]);
      await client.refused(["node", "show", "two"], /HTTP 404/);
      await client.refused(["node", "delete", "two"], /404|not found/i);
    },
  ],
];
