// The table test of failure kinds has a row for each fault that can be scripted: a new fault cannot be forgotten there.
import { expect, it } from "vitest";
import { z } from "zod";
import { faultsBody } from "@/server/simulator/faults";
import { kinds } from "@/server/testing/failure-kinds";

const fault = z.looseObject({ enum: z.array(z.string()).optional(), type: z.string().optional() });
const members = z.object({ properties: z.record(z.string(), fault) });
const nullable = z.object({ anyOf: z.tuple([members], z.unknown()) }).transform(({ anyOf: [some] }) => some);
const drives = z.object({ additionalProperties: nullable }).transform((all) => all.additionalProperties);
const area = z.union([drives, nullable]);
const areas = z.object({ properties: z.record(z.string(), z.unknown()) });

/** As the rows of the table call them. */
const areaWords: Readonly<Record<string, string>> = {
  bmc: "BMC",
  drives: "drive",
  infiniband: "InfiniBand",
  memoryOverwrite: "memory overwrite",
};

/** How often and how long say how a mode misbehaves; what a firmware does differently within the protocol is no failure (`firmware-quirks.itest.ts`). */
const notFaults = new Set(["BMC: requests", "BMC: delayMs"]);
const { quirks: _quirks, ...faultAreas } = areas.parse(z.toJSONSchema(faultsBody)).properties;

it("of every kind have a row in the table of failures", () => {
  const faults = Object.entries(faultAreas).flatMap(([name, schema]) =>
    Object.entries(area.parse(schema).properties).flatMap(([member, { enum: values }]) =>
      (values ?? [member]).map((each) => `${areaWords[name] ?? name}: ${each}`),
    ),
  );
  expect(faults.length).toBeGreaterThan(30);
  // A row may say on what kind of drive.
  const rows = Object.keys(kinds).map((name) => name.replace(/ \(.*$/, ""));
  expect([...new Set(rows)].sort()).toEqual(faults.filter((name) => !notFaults.has(name)).sort());
});
