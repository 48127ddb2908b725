// The text for each failure.
import { expect, it } from "vitest";
import { lastErrorOf } from "@/server/surfaces/machine/ironic/nodes/last-error";

it.each([
  ["nothing is wrong", { last_error: null, failed_step: "deploy.erase_nvme" }, null],
  [
    "a step failed",
    { last_error: "drive 3 answered no", failed_step: "deploy.erase_nvme" },
    'Clean step "deploy.erase_nvme" failed on node n1: drive 3 answered no',
  ],
  [
    "it was aborted in a step",
    { last_error: "aborted by Ola", failed_step: "deploy.erase_nvme" },
    'Clean operation aborted for node n1 by request, at step "deploy.erase_nvme": aborted by Ola',
  ],
  [
    "a list has a fault",
    { last_error: "there is no clean step a.b", failed_step: null, failed_list: true },
    "Cannot clean node n1: there is no clean step a.b",
  ],
  ["no step has to do with it", { last_error: "power off failed: no answer" }, "power off failed: no answer"],
])("%s", (_what, row, words) => expect(lastErrorOf({ id: "n1", ...row })).toBe(words));
