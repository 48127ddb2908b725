// Every hardware type is complete and registered under its own name.
import { describe, expect, it } from "vitest";
import { machineTypeNames } from "@/server/domain/hardware/machine-types";
import { RedfishClient } from "@/server/hardware/redfish/client/client";
import { hardwareTypes, machineTypes, stepCodeOf } from "@/server/hardware/registry";

const client = new RedfishClient({ networks: [] });

describe("the registry", () => {
  it("has each hardware type under its name", () => {
    const types = hardwareTypes(client, { fake: true });
    expect([...types.keys()]).toEqual([...machineTypes, "fake"]);
    expect(machineTypes).toEqual(machineTypeNames);
    for (const [name, type] of types) expect(type.name).toBe(name);
  });

  it("lacks the fake one unless it is switched on", () => {
    expect([...hardwareTypes(client, { fake: false }).keys()]).toEqual(machineTypes);
  });

  it("knows the steps of each, and of no other", () => {
    expect(stepCodeOf("fake")?.has("deploy.erase_devices")).toBe(true);
    expect(stepCodeOf("redfish")?.has("deploy.erase_devices")).toBe(false);
    expect(stepCodeOf("ipmi")).toBeNull();
  });
});
