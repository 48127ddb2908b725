// Steps are declared in one place and coded in another (ADR 14). Here the two must match.
import { afterAll, describe, expect, it } from "vitest";
import { cleanSteps } from "@/server/domain/cleaning/steps/catalogue";
import { stepName } from "@/server/domain/cleaning/steps/step";
import { hardwareTypes } from "@/server/hardware/registry";
import { clientForTests } from "@/server/hardware/redfish/testing/setup";

const { client } = clientForTests();
afterAll(() => client.close());

const types = [...hardwareTypes(client, { fake: false }).values()];
const declared = cleanSteps
  .filter(({ where, reserved }) => where === "controller" && !reserved)
  .map(stepName);
const stepsOf = (name: string): readonly string[] =>
  [...(types.find((type) => type.name === name)?.steps.keys() ?? [])].toSorted();

describe("the controller's clean steps", () => {
  it.each(declared)("%s has code in some hardware type", (name) => {
    expect(types.filter(({ steps }) => steps.has(name)).map((type) => type.name)).not.toEqual([]);
  });

  it.each(types.map(({ name }) => name))("%s has no code for a step that nobody declared", (name) => {
    expect(stepsOf(name).filter((step) => !declared.includes(step))).toEqual([]);
  });

  it("are the vendor's own only where the vendor has them", () => {
    const own = (name: string) => stepsOf(name).filter((step) => !stepsOf("redfish").includes(step));
    expect(own("idrac")).toEqual([
      "management.clear_job_queue",
      "management.clear_tpm",
      "management.lock_bmc",
      "raid.create_boss_volume",
      "raid.secure_erase_boss",
    ]);
    expect(own("xclarity")).toEqual(["management.clear_tpm"]);
  });
});
