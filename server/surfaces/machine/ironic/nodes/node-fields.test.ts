// The table of fields, and the JSON that is assembled from it.
import { describe, expect, it } from "vitest";
import { allStates } from "@/server/domain/lifecycle/states";
import type { NodeRow } from "@/server/usecases/hosts/nodes/reading/node-columns";
import { nodeFields } from "@/server/surfaces/machine/ironic/nodes/node-fields";
import { selectFields } from "@/server/surfaces/machine/ironic/nodes/node-selection";
import { provisionOf, provisionStates } from "@/server/usecases/hosts/nodes/reading/node-text";
import { newest, oldest } from "@/server/surfaces/machine/ironic/wire/version";

const row: NodeRow = {
  id: "00000000-0000-4000-8000-000000000001",
  name: 'a "name" with \\ and \u2028',
  state: "Ready",
  commanded: false,
  inspection: null,
  pending: null,
  reclaiming: false,
  released: false,
  instance_id: null,
  maintenance: false,
  power_state: "on",
  driver: "redfish",
  created_at: "2026-11-21 14:30:00",
  updated_at: "2026-11-21 14:30:00.5",
  last_error: "line\nline",
  driver_info_json: '{"a": 1}',
  bmc_address: "http://bmc",
  has_password: true,
};

describe("fields", () => {
  it("each has one row, and came with a version that is served", () => {
    expect(new Set(nodeFields.map(({ name }) => name)).size).toBe(nodeFields.length);
    for (const { name, since } of nodeFields) expect(since >= oldest && since <= newest, name).toBe(true);
  });

  it("are valid JSON in every version, whatever is in the row", () => {
    for (let version = oldest; version <= newest; version += 1) {
      const node = JSON.parse(selectFields("all", version, "http://r").write(row));
      expect(Object.keys(node)).toEqual(
        nodeFields.filter(({ since }) => since <= version).map(({ name }) => name),
      );
    }
    expect(JSON.parse(selectFields("all", newest, "http://r").write(row))).toMatchObject({
      name: row.name,
      last_error: "line\nline",
      created_at: "2026-11-21T14:30:00+00:00",
      updated_at: "2026-11-21T14:30:00.5+00:00",
      driver_info: { redfish_address: "http://bmc", redfish_password: "******", a: 1 },
      power_state: "power on",
    });
  });

  it("are read from no more than they need", () => {
    expect([...selectFields("list", newest, "").parts]).toEqual(["list"]);
    expect([...selectFields(["uuid", "clean_step"], newest, "").parts]).toEqual(["list", "work"]);
    expect([...selectFields(["uuid", "owner"], newest, "").parts]).toEqual(["list", "record"]);
  });
});

describe("states", () => {
  it("have words that Ironic has, each of them", () => {
    for (const state of allStates())
      expect([...provisionStates], state).toContain(provisionOf({ ...row, state }).state);
  });
  it("of another release keep a client waiting or are an error", () => {
    const word = (state: string, facts: Partial<NodeRow> = {}) => provisionOf({ ...row, state, ...facts });
    for (const state of ["Dreaming", "Ready/Twice", "Manageable/Still", "Assigned/Dreaming"]) {
      expect(word(state)).toEqual({ state: "cleaning", target: "manageable" });
      expect(word(state, { reclaiming: true })).toEqual({ state: "cleaning", target: "available" });
      expect(word(state, { instance_id: row.id })).toEqual({ state: "deploying", target: "active" });
      expect(word(state, { instance_id: row.id, released: true })).toEqual({
        state: "deleting",
        target: "available",
      });
    }
    expect(word("Failed/Dreaming", { reclaiming: true })).toEqual({ state: "error", target: null });
  });
});
