// Every hardware type is complete and known by its own name.
import { expect, it } from "vitest";
import { RedfishClient } from "./redfish/client";
import { hardwareTypes } from "./registry";

it("has each hardware type under its name", () => {
  const types = hardwareTypes(new RedfishClient({ networks: [] }));
  expect([...types.keys()]).toEqual(["redfish", "idrac", "xclarity"]);
  for (const [name, type] of types) expect(type.name).toBe(name);
});
