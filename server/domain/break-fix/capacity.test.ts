// Why a machine left and came back, as a table of before and after.
import { describe, expect, it } from "vitest";
import {
  capacityChanges,
  capacityReasons,
  capacityLabels,
  standingOfHost,
} from "@/server/domain/break-fix/capacity";
import type { HostFacts, Seen, Stories } from "@/server/domain/break-fix/capacity";

const free: HostFacts = {
  state: "Ready",
  allocatable: true,
  maintenance: false,
  blocked: false,
  retired: false,
  instanceId: null,
  tenantId: null,
};
const none: Stories = {
  repair: false,
  tenantRepair: false,
  repaired: false,
  replacement: false,
  returned: false,
};
const seen = (host: HostFacts | null, before: Seen | null = null, stories = none) =>
  standingOfHost(host, before, stories);
const held: HostFacts = {
  ...free,
  state: "Assigned/Ready",
  allocatable: false,
  instanceId: "i1",
  tenantId: "t1",
};
const away: HostFacts = { ...free, allocatable: false, state: "Sanitizing/Erasing" };

it.each<[string, HostFacts | null, Stories, string | null]>([
  ["free", free, none, null],
  ["held", held, none, null],
  ["being cleaned", away, none, "cleaning"],
  ["failed", { ...away, state: "Failed/NVMECleanFailed" }, none, "failed"],
  ["in maintenance", { ...away, maintenance: true }, none, "maintenance"],
  ["alerted", { ...away, blocked: true }, none, "health"],
  ["alerted for a repair", { ...away, blocked: true }, { ...none, repair: true }, "repair"],
  ["retired", { ...away, retired: true, maintenance: true }, none, "retired"],
  ["gone", null, none, "gone"],
])("a host that is %s", (_, host, stories, reason) => expect(seen(host, null, stories).reason).toBe(reason));

describe("is told", () => {
  const changes = (before: Seen | null, now: Seen, stories = none) =>
    capacityChanges(before, now, stories).map(
      ({ direction, reason, tenantId }) => `${direction} ${reason} ${tenantId ?? "provider"}`,
    );
  const inService = seen(free);
  const out = (host: HostFacts | null, stories = none) => seen(host, inService, stories);
  it.each<[string, Seen | null, Seen, Stories, readonly string[]]>([
    ["a new host in service", null, inService, none, ["added new provider"]],
    ["a new host that is not in service yet", null, seen(away), none, []],
    ["a claim", inService, seen(held, inService), none, ["added new t1"]],
    [
      "a claim of a replacement",
      inService,
      seen(held, inService),
      { ...none, replacement: true },
      ["added replacement t1"],
    ],
    [
      "a claim of the repaired machine",
      inService,
      seen(held, inService),
      { ...none, returned: true },
      ["added backFromRepair t1"],
    ],
    [
      "the end of an instance",
      seen(held, inService),
      out(away),
      none,
      ["removed released t1", "removed cleaning provider"],
    ],
    [
      "the end with an issue",
      seen(held, inService),
      out(away, { ...none, repair: true }),
      { ...none, repair: true, tenantRepair: true },
      ["removed repair t1", "removed repair provider"],
    ],
    [
      "the end under a repair system",
      seen(held, inService),
      out(away, { ...none, repair: true }),
      { ...none, repair: true },
      ["removed released t1", "removed repair provider"],
    ],
    [
      "one tenant after another",
      seen(held, inService),
      seen({ ...held, instanceId: "i2", tenantId: "t2" }, inService),
      none,
      ["removed released t1", "added new t2"],
    ],
    ["the end of cleaning", out(away), inService, none, ["added cleaned provider"]],
    [
      "the end of maintenance",
      out({ ...away, maintenance: true }),
      inService,
      none,
      ["added maintenanceEnded provider"],
    ],
    [
      "the end of a repair",
      out({ ...away, blocked: true }),
      inService,
      { ...none, repaired: true },
      ["added repaired provider"],
    ],
    ["a host that leaves", inService, out(null), none, ["removed gone provider"]],
    ["nothing where only the reason changed", out(away), out({ ...away, maintenance: true }), none, []],
    ["nothing where nothing changed", inService, inService, none, []],
  ])("%s", (_, before, now, stories, told) => expect(changes(before, now, stories)).toEqual(told));
});

it("has words for each reason", () => {
  for (const reason of capacityReasons) expect(capacityLabels[reason]).not.toBe("");
});
