// What the API has besides nodes: drivers, conductors, other resources, API versions and sign-in.
import { assert, column, has } from "./check.mjs";

/** @typedef {{ client: import("./client.mjs").Client }} World */

/** @type {[string, (world: World) => Promise<void>][]} */
export const services = [
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
