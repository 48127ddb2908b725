// Reports of Ironic's agent are never proof.
import { describe, expect, it } from "vitest";
import { recorded } from "@/server/agents/guest/testing/recorded";
import {
  guestManagers,
  guestOutcome,
  guestRefusal,
  guestResult,
  guestVersions,
  isGuest,
} from "@/server/domain/agents/ironic/steps";
import { guestCleanSteps } from "@/server/domain/agents/ironic/wire";
import { resultBody } from "@/server/domain/agents/protocol";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import { judgeStep } from "@/server/domain/cleaning/sanitization/judge";

const offered = (step: string, restarts = false) => ({
  interface: "deploy",
  step,
  priority: 5,
  reboot_requested: restarts,
});
const managers = guestManagers("9.1.0", {
  clean_steps: {
    A: [
      offered("erase_devices"),
      offered("verify_mem_overwrite"),
      { ...offered("erase_devices_metadata"), interface: "raid" },
    ],
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
  it("are those of its managers, none of which can be stopped, without names of ours and those that ask for a restart", () => {
    expect(managers.map(({ name, version }) => [name, version])).toEqual([
      ["ironic-python-agent", "9.1.0"],
      ["generic", "1.2"],
    ]);
    expect(managers[0]?.steps.map(({ step, abortable }) => [step, abortable])).toEqual([
      ["scrub_nic", false],
    ]);
    expect(guestVersions(managers)).toEqual({ generic: "1.2" });
    expect([isGuest(managers), isGuest([{ name: "reclaim" }])]).toEqual([true, false]);
  });

  it.each([
    ["deploy", "scrub_nic", null],
    ["deploy", "scrub_disk", /has no step deploy.scrub_disk/],
    ["deploy", "flash", /has no step/],
    ["deploy", "verify_mem_overwrite", /without proof/],
    ["deploy", "erase_nvme", /on every drive it sees/],
    ["deploy", "erase_devices", /on every drive it sees/],
    ["deploy", "erase_devices_metadata", /on every drive it sees/],
    ["deploy", "erase_devices_express", /on every drive it sees/],
    ["deploy", "burnin_disk", /on every drive it sees/],
    // Ironic's agent looks up a step by its name alone.
    ["raid", "erase_devices", /on every drive it sees/],
  ])("%s.%s is given: %s", (of, step, refusal) => {
    // What a session stores that registered with an earlier release: steps with names of ours are still in it.
    const offering = [
      "erase_devices",
      "erase_devices_metadata",
      "erase_devices_express",
      "burnin_disk",
    ].concat("verify_mem_overwrite", "scrub_nic");
    const steps = ["deploy", "raid"].flatMap((name) =>
      offering.map((row) => ({ interface: name, step: row, priority: 1, abortable: false })),
    );
    const said = guestRefusal({ interface: of, step, args: {} }, [{ name: "a", version: "1", steps }]);
    if (refusal === null) expect(said).toBeNull();
    else expect(said).toMatch(refusal);
  });

  it("take no arguments, such as one of two drives", () => {
    const args = { devices: [{ serial: "S1", model: "M" }] };
    expect(guestRefusal({ interface: "deploy", step: "scrub_nic", args }, managers)).toMatch(
      /deploy.scrub_nic takes no arguments/,
    );
  });
});

describe("the result of an erase", () => {
  it("sanitizes no drive, whatever it says", () => {
    const report = resultBody.parse(guestResult(task, { ok: true, message: "done" }));
    const verdict = judgeStep([drive], report, defaultPolicy().sanitization);
    expect(verdict).toMatchObject({
      ok: false,
      missing: [],
      message: "S1 (M): erased by Ironic's agent and not read back: its report is no proof",
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
  ["SUCCEEDED", { ok: true, message: "succeeded" }],
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

describe("what version 9.1.1 answered", () => {
  it("offers the steps of the site's manager, and of its own one that treats no drive", () => {
    const [guest, ...others] = guestManagers("9.1.1", guestCleanSteps.parse(recorded.cleanSteps));
    expect(guest?.steps.map(({ step, priority }) => [step, priority])).toEqual([
      ["check_links", 45],
      ["watch_links", 0],
      ["erase_pstore", 0],
    ]);
    expect(others.map(({ name, version }) => [name, version])).toEqual([
      ["example_site_manager", "1.0"],
      ["generic_hardware_manager", "1.1"],
    ]);
  });

  it.each([
    ["runs", null],
    ["returnsText", { ok: true, message: "ports with a link: enp0s1" }],
    ["returnsNothing", { ok: true, message: "succeeded" }],
    ["returnsTwo", { ok: true, message: '["out","err"]' }],
    ["fails", { ok: false, message: "FAILED: Clean step failed: the port has no link" }],
    [
      "crashes",
      { ok: false, message: expect.stringMatching(/performing clean step rec_crash. KeyError: 'x'/) },
    ],
    ["programFails", { ok: false, message: expect.stringMatching(/Command: \/bin\/false\nExit code: 1/) }],
    ["noSuchStep", { ok: false, message: expect.stringMatching(/Could not find method: no_such_step/) }],
    ["otherVersion", { ok: false, message: expect.stringMatching(/versions used by ironic: .*'0.9'/) }],
  ])("is read: %s", (what, outcome) => {
    const told = recorded.steps[what];
    expect(told && guestOutcome(told)).toEqual(outcome);
  });
});
