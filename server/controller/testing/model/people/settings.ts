// What the model's operators set: policy, priorities of steps, and SKUs.
import { overrideScopes } from "@/server/domain/cleaning/plan/priorities";
import { sku } from "@/server/controller/testing/hardware";
import { wake } from "@/server/controller/testing/model/world";
import type { World } from "@/server/controller/testing/model/world";

export function changePolicy(world: World, choice: number): void {
  const { policy } = world;
  world.policyVersion += 1;
  const minimum = (["none", "clear", "purge"] as const)[choice % 3] ?? "purge";
  switch (choice % 5) {
    case 0:
      world.policy = { ...policy, automatedClean: !policy.automatedClean };
      return;
    case 1:
      world.policy = {
        ...policy,
        validationTests: choice % 2 === 0 ? [] : ["memory-pattern", "network-loopback"],
      };
      return;
    case 2:
      world.policy = {
        ...policy,
        sanitization: {
          ...policy.sanitization,
          minimum: { nvme: minimum, ssd: minimum, hdd: minimum, "raid-kit": "none" },
        },
      };
      return;
    case 3:
      world.policy = {
        ...policy,
        sanitization: {
          ...policy.sanitization,
          standard: policy.sanitization.standard === "ieee-2883" ? "sp-800-88r1" : "ieee-2883",
        },
      };
      return;
    case 4:
      world.policy = {
        ...policy,
        attempts: { agent: 1 + (choice % 3), controller: 5 },
        times: { ...policy.times, maxBoots: 1 + (choice % 3), bmcTries: 1 + (choice % 2) },
      };
  }
}

const mayBeSet = [
  "deploy.erase_nvme",
  "deploy.erase_disks",
  "deploy.verify_mem_overwrite",
  "deploy.reset_infiniband",
  "deploy.erase_devices_metadata",
  "bios.recommit",
  "raid.secure_erase_drives",
] as const;

/** Sets, changes or removes a priority for site, SKU or host, at any time. Ties are not checked, as if two people saved at once. */
export function setPriority(world: World, choice: number): void {
  const name = mayBeSet[choice % mayBeSet.length] ?? "deploy.erase_nvme";
  const [stepInterface = "", step = ""] = name.split(".");
  const scope = overrideScopes[Math.floor(choice / 7) % overrideScopes.length] ?? "site";
  const priority = [0, null, 0, 95, 41, null, 12][Math.floor(choice / 21) % 7] ?? null;
  world.overrides = world.overrides.filter(
    (row) => row.scope !== scope || row.interface !== stepInterface || row.step !== step,
  );
  if (priority !== null) world.overrides.push({ scope, interface: stepInterface, step, priority });
  if (choice % 5 === 0) world.hostAutomatedClean = [true, false, null][choice % 3] ?? null;
  // The longest is within what `eraseLimitMs` gives the drive: nothing could protect a slower one that reports nothing.
  if (choice % 11 === 0) world.machine.bmcEraseMs = [15_000, 20 * 60_000, 180 * 60_000][choice % 3] ?? 15_000;
}

/** SKUs that a host without one may match: none, the right one, the right one with a baseline, two, or one without drives. */
function matchable(choice: number): World["skus"] {
  const right = { id: "sku", name: sku.name, version: "1", hasPriorities: false, components: sku.components };
  const baseline = {
    ...right,
    version: "2",
    components: { ...sku.components, baseline: { lockdown: true } },
  };
  const twin = { ...right, id: "twin", name: "R760 of another customer" };
  const diskless = { ...right, id: "diskless", components: { ...sku.components, storage: [] } };
  const lists = [[], [right], [baseline], [right, twin], [diskless]];
  return lists[choice % lists.length] ?? [];
}

/** A person removes, changes or assigns the host's SKU; the available SKUs change as well. */
export function changeSku(world: World, choice: number): void {
  world.skus = matchable(Math.floor(choice / 8));
  switch (choice % 4) {
    case 0:
      Object.assign(world, { sku: null, skuAssigned: choice % 8 === 0 });
      if (world.host !== null) wake(world.host.run, world.nowMs);
      return;
    case 1:
      Object.assign(world, {
        sku: { ...sku, components: { ...sku.components, infiniband: 2 } },
        skuAssigned: true,
      });
      return;
    default:
      Object.assign(world, { sku, skuAssigned: true });
  }
  if (world.host !== null) wake(world.host.run, world.nowMs);
}
