// Safety checks of the BMC's clean steps: for `scripts/mutation.mjs`.
import { of } from "./mutant.mjs";

const bmcSteps = "server/simulator/bmc/steps.test.ts";
const raidSteps = "server/simulator/bmc/raid-steps.test.ts";
const collect = "server/hardware/redfish/inventory/collect.test.ts";
export const hardware = [
  ...of("unit", "server/hardware/redfish/client.ts", "server/hardware/redfish/management.test.ts", [
    ["bmc: the machine behind the address before anything is changed", "if (other !== null) return other;", ""],
  ]),
  ...of("unit", "server/hardware/redfish/identity.ts", "server/hardware/redfish/management.test.ts", [
    ["bmc: an old look at the machine does not count", "const fresh = known !== null &&", "const fresh = known !== null || "],
  ]),
  ...of("unit", "server/controller/bmc-cause.ts", "server/controller/boot.test.ts", [
    ["bmc: a refusal is no silence", "outcome.errorKind === \"unsupported\" || outcome.errorKind === \"rejected\" ? \"BmcRefused\" :", ""],
  ]),
  ...of("unit", "server/hardware/redfish/inventory/gather.ts", collect, [
    ["bmc: an error is no part that is not offered", "new Set([404, 405, 501])", "new Set([404, 405, 500, 501])"],
    ["bmc: what the BMC lists itself must be there", "if (!replied.ok) this.#stop(replied.error);", "if (!replied.ok) continue;"],
  ], "drives"),
  ...of("unit", "server/hardware/redfish/collection.ts", collect, [
    ["bmc: a collection with fewer members than it counts", "if (count != null && count !== members.length) return", "if (count === -1) return"],
    ["bmc: a collection cut short at a page", "if (visited.has(next)) return", "if (visited.has(next)) return { ok: true, members }; if (next === \"\") return"],
  ], "drives"),
  ...of("unit", "server/hardware/redfish/inventory/drives.ts", collect, [
    ["bmc: a unit with fewer drives than it counts", "if (count != null && count !== paths.length) return", "if (count === -1) return"],
    ["bmc: a drive that cannot be named is said", "if (typeof device === \"string\") open.push(", "if (typeof device === \"symbol\") open.push("],
  ]),
  ...of("unit", "server/hardware/redfish/steps/lockdown.ts", bmcSteps, [
    ["bmc: nobody else's lock is opened", "wanted === \"off\" && talk.step.known.baseline?.lockdown !== true", "false"],
    ["bmc: a lock that does not come on", "if (!back.ok)", "if (false)"],
  ], "lockdown"),
  ...of("unit", "server/hardware/redfish/steps/baseline.ts", bmcSteps, [
    ["bmc: an account that stays after its removal", "back.ok ? ended(`removed", "true ? ended(`removed"],
    ["bmc: our own account stays", " && body.UserName !== talk.call.target.username", ""],
  ], "verify_bmc_baseline"),
  ...of("unit", "server/hardware/redfish/steps/baseline-firmware.ts", bmcSteps, [
    ["bmc: a key that the baseline does not name", 'if (!allowed.includes(row.body.KeyString ?? "")) foreign', "if (false) foreign"],
    ["bmc: the host interface", "body.InterfaceEnabled !== wanted", "body.InterfaceEnabled === undefined"],
    ["bmc: a secure-boot key that is gone", "if (lost.length > 0) throw", "if (false) throw"],
  ], "below the operating system"),
  ...of("unit", "server/hardware/redfish/steps/bios.ts", bmcSteps, [
    ["bmc: BIOS settings are read back after the restart", "if (other.length === 0) return done(`in force after", "if (true) return done(`in force after"],
  ], "BIOS settings"),
  ...of("unit", "server/hardware/redfish/steps/earlier-job.ts", bmcSteps, [
    ["bmc: a job that runs has time to end before it is deleted", "if (talk.nowMs() - earlier.sentAt < stuckAfterMs) return waiting(earlier);", ""],
    ["bmc: nothing is ordered beside a job that runs", "return running === null ? work.begin(talk) : waiting", "return running !== undefined ? work.begin(talk) : waiting"],
  ], "jobs of a Dell BMC"),
  ...of("unit", "server/hardware/redfish/dell/boss.ts", raidSteps, [
    ["bmc: an erase whose job is gone is none", 'if (reading.phase === "gone") return recovered(failed', 'if (false) return recovered(failed'],
    ["bmc: an erase that runs is joined", "if (running !== null) return { kind: \"running\", handle: running, percent: null, message: `${unit.path} has a job already` };\n    const offered", "const offered"],
  ]),
  ...of("unit", "server/hardware/redfish/steps/erase-drives.ts", raidSteps, [
    ["bmc: a drive that is being erased is left alone", "if (running != null) throw", "if (false) throw"],
    ["bmc: a failed erase of one drive", "return bad.length > 0 ? failed", "return false ? failed"],
  ]),
];
