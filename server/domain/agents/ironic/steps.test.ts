// What the word of Ironic's agent is worth: never a proof.
import { describe, expect, it } from "vitest";
import {
  guestManagers,
  guestOutcome,
  guestRefusal,
  guestResult,
  guestVersions,
  isGuest,
} from "@/server/domain/agents/ironic/steps";
import { resultBody } from "@/server/domain/agents/protocol";
import { defaultPolicy } from "@/server/domain/cleaning/policy";
import type { StorageDevice } from "@/server/domain/inventory/inventory";
import { judgeStep } from "@/server/domain/sanitization/judge";

const offered = (step: string, restarts = false) => ({
  interface: "deploy",
  step,
  priority: 5,
  reboot_requested: restarts,
});
const managers = guestManagers("9.1.0", {
  clean_steps: {
    A: [offered("erase_devices"), offered("verify_mem_overwrite")],
    B: [offered("scrub_nic"), offered("flash", true)],
  },
  hardware_manager_version: { generic: "1.2", "ironic-python-agent": "0" },
});
const drive: StorageDevice = {
  serial: "S1",
  model: "M",
  media: "nvme",
  transport: "nvme",
  capacityBytes: "1000",
  removable: false,
};
const task = {
  id: "x:1",
  stepRunId: "5f0f6d3a-6a3a-4b0e-9a53-0a64b9a2f001",
  attempt: 1,
  interface: "deploy",
  step: "erase_devices",
  devices: [drive],
};

describe("its steps", () => {
  it("are those of its managers, none of which can be stopped, without those that ask for a restart", () => {
    expect(managers.map(({ name, version }) => [name, version])).toEqual([
      ["ironic-python-agent", "9.1.0"],
      ["generic", "1.2"],
    ]);
    expect(managers[0]?.steps.map(({ step, abortable }) => [step, abortable])).toEqual([
      ["erase_devices", false],
      ["verify_mem_overwrite", false],
      ["scrub_nic", false],
    ]);
    expect(guestVersions(managers)).toEqual({ generic: "1.2" });
    expect([isGuest(managers), isGuest([{ name: "reclaim" }])]).toEqual([true, false]);
  });

  it.each([
    ["scrub_nic", null],
    ["erase_devices", null],
    ["erase_nvme", /has no step deploy.erase_nvme/],
    ["flash", /has no step/],
    ["verify_mem_overwrite", /proves memoryOverwritten, and the word of Ironic's agent is no proof/],
  ])("%s is given: %s", (step, refusal) => {
    const said = guestRefusal({ interface: "deploy", step }, managers);
    if (refusal === null) expect(said).toBeNull();
    else expect(said).toMatch(refusal);
  });
});

describe("the result of an erase", () => {
  it("sanitizes no drive, whatever it says", () => {
    const report = resultBody.parse(guestResult(task, { ok: true, message: "done" }));
    const verdict = judgeStep([drive], report, defaultPolicy().sanitization);
    expect(verdict).toMatchObject({
      ok: false,
      missing: [],
      message: "S1 (M): erased by Ironic's agent and not read back: its word is no proof",
      devices: [{ verdict: "failed", level: "none" }],
    });
  });

  it("that failed says why", () => {
    const report = guestResult(task, { ok: false, message: "FAILED: no" });
    expect(report).toMatchObject({ result: "ERROR", devices: [{ result: "ERROR", message: "FAILED: no" }] });
  });
});

it.each([
  ["RUNNING", null],
  ["SUCCEEDED", { ok: true, message: '{"clean_result":null}' }],
  ["FAILED", { ok: false, message: 'FAILED: {"message":"no"}' }],
  [
    "CLEAN_VERSION_MISMATCH",
    { ok: false, message: expect.stringMatching(/hardware managers of Ironic's agent changed in this boot/) },
  ],
  ["SOMETHING", { ok: false, message: expect.stringMatching(/^SOMETHING/) }],
])("its status %s is %o", (status, outcome) => {
  const result = status === "SUCCEEDED" ? { clean_result: null } : null;
  const error = status === "SUCCEEDED" ? null : { message: "no" };
  expect(
    guestOutcome({
      id: "1",
      command_name: "execute_clean_step",
      command_status: status,
      command_error: error,
      command_result: result,
    }),
  ).toEqual(outcome);
});
