// The table test of failure kinds has a row for each fault that can be scripted, so that a new fault cannot be forgotten there.
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

/** The names in the rows of the table. */
const areaLabels: Readonly<Record<string, string>> = {
  bmc: "BMC",
  drives: "drive",
  infiniband: "InfiniBand",
  memoryOverwrite: "memory overwrite",
  tpm: "TPM",
};

/** These only say how often and how long a mode misbehaves, and with which message. Unusual firmware behaviour within the protocol is not a failure (`firmware-quirks.itest.ts`). A fault of a part makes the host differ from its SKU and fails nothing else (`parts.test.ts`), broken hardware of which only the BMC tells is a report (`bmc-health.itest.ts`), and a boot that is measured wrongly fails nothing where the site asks for no quote (`measured-boot.test.ts`). */
const notFaults = new Set(["BMC: requests", "BMC: delayMs", "jobs: messageId"]);
const {
  quirks: _quirks,
  parts: _parts,
  health: _health,
  measuredBoot: _measuredBoot,
  ...faultAreas
} = areas.parse(z.toJSONSchema(faultsBody)).properties;

it("of every kind have a row in the table of failures", () => {
  const faults = Object.entries(faultAreas).flatMap(([name, schema]) =>
    Object.entries(area.parse(schema).properties).flatMap(([member, { enum: values }]) =>
      (values ?? [member]).map((each) => `${areaLabels[name] ?? name}: ${each}`),
    ),
  );
  expect(faults.length).toBeGreaterThan(30);
  // A row may name the kind of drive.
  const rows = Object.keys(kinds).map((name) => name.replace(/ \(.*$/, ""));
  expect([...new Set(rows)].sort()).toEqual(faults.filter((name) => !notFaults.has(name)).sort());
});
