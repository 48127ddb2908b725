// NICo's five names, from the step runs of a plan.
import { expect, it } from "vitest";
import { cleanupSummary, summarizeCleanup } from "@/server/domain/cleaning/cleanup-summary";

type Run = Parameters<typeof summarizeCleanup>[0][number];
const run = (name: string, status: string, message: string | null = null): Run => {
  const [stepInterface = "", step = ""] = name.split(".");
  return { interface: stepInterface, step, status, message };
};
const ok = { result: "OK", message: "OK" } as const;

it.each<[string, readonly Run[], unknown]>([
  ["no plan", [], {}],
  [
    "each name, and none for steps that NICo does not report",
    [
      run("deploy.erase_nvme", "succeeded", "3 drives"),
      run("deploy.erase_disks", "succeeded"),
      run("deploy.verify_mem_overwrite", "succeeded"),
      run("deploy.reset_infiniband", "succeeded"),
      run("management.clear_tpm", "failed", "x"),
      run("deploy.burnin_memory", "succeeded"),
      run("deploy.site_check", "succeeded"),
    ],
    { nvme: ok, hdd: ok, mem_overwrite: ok, ib: ok },
  ],
  [
    "what is planned or runs is absent",
    [
      run("deploy.erase_nvme", "succeeded"),
      run("deploy.erase_disks", "running"),
      run("deploy.reset_infiniband", "planned"),
    ],
    { nvme: ok },
  ],
  [
    "one name of two steps: not OK before both are",
    [run("deploy.erase_nvme", "succeeded"), run("deploy.erase_raid_kit", "planned")],
    {},
  ],
  [
    "an error of one is the error of the name",
    [run("deploy.erase_nvme", "failed", "S1: Invalid Opcode"), run("deploy.erase_raid_kit", "planned")],
    { nvme: { result: "ERROR", message: "S1: Invalid Opcode" } },
  ],
  [
    "errors of two are joined by lines",
    [run("deploy.erase_nvme", "failed", "a"), run("deploy.erase_raid_kit", "failed")],
    { nvme: { result: "ERROR", message: "a\ndeploy.erase_raid_kit failed" } },
  ],
  [
    "an exception is no success",
    [run("deploy.erase_disks", "excepted")],
    { hdd: { result: "ERROR", message: "deploy.erase_disks excepted" } },
  ],
  ["all drives by hand count for both", [run("deploy.erase_devices", "succeeded")], { nvme: ok, hdd: ok }],
])("%s", (_what, runs, expected) => {
  expect(summarizeCleanup(runs)).toEqual(expected);
  expect(cleanupSummary.parse(expected)).toEqual(expected);
});
