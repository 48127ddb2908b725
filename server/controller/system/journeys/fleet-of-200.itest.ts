// 200 hosts of all kinds on a real site, under the default policy but for measured boot: with baselines taken from reference hosts all return, and one changed item
// of each kind then is set back on the host that has it, or stops that host and no other (docs/adr/0143-platform-at-baseline.md).
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { maxBiosSettings } from "@/server/domain/hosts/inventory/baseline";
import { knownBmcParts } from "@/server/domain/hosts/inventory/bmc-settings";
import { allRequired } from "@/server/domain/cleaning/policy/policy";
import type { State } from "@/server/domain/lifecycle/states";
import { enroll, granted, manage, perform, provide } from "@/server/testing/acts";
import type { Faults, Machine } from "@/server/testing/fleet-control";
import { hostRows, waitForStates } from "@/server/testing/hosts";
import { startStack, type Stack } from "@/server/testing/stack";
import { componentAuthority } from "@/server/simulator/spdm/certificates";
import { proposeSkuOfHost } from "@/server/usecases/hosts/skus/propose-sku";
import { captureSkuBaseline } from "@/server/usecases/hosts/skus/sku-acts";

const hosts = 200;
/** Each return of all takes one to two minutes on two cores that do nothing else. */
const limitMs = 600_000;
const isGeneric = ({ vendor }: Machine): boolean => vendor === "generic";
let stack: Stack;
let hostIds: string[];

beforeAll(async () => {
  stack = await startStack({
    ...{ hosts, speed: 100_000, bootCards: true },
    policy: {
      requires: { ...allRequired, attestationPassed: false },
      // 200 agents share a process, which on a busy machine does not come to all of them within seconds.
      times: {
        ...{ agentSilenceMs: 300_000, bootWindowMs: 600_000, validationMs: 600_000 },
        ...{ eraseStepMs: 900_000, otherStepMs: 600_000 },
      },
    },
  });
  await stack.pool.query("UPDATE site SET demo = false, authorities = $1", [
    JSON.stringify({ components: { usedFor: ["component"], pem: componentAuthority } }),
  ]);
  hostIds = await enroll(stack, stack.machines);
  await manage(stack, hostIds);
}, 600_000);
afterAll(() => stack?.stop());

/** One host of each SKU. */
const references = (): readonly (readonly [Machine, string])[] => [
  ...new Map(
    stack.machines.map((machine, at) => [machine.sku, [machine, hostIds[at] ?? ""]] as const),
  ).values(),
];

async function gatesOf(gate: string) {
  const { rows } = await stack.pool.query<{ host_id: string; status: string; reason: string }>(
    `SELECT DISTINCT ON (c.host_id) c.host_id, g.status, g.reason FROM gate g JOIN reclamation c ON c.id = g.reclamation_id
     WHERE g.gate = $1 ORDER BY c.host_id, c.number DESC`,
    [gate],
  );
  return new Map(rows.map((row) => [row.host_id, row]));
}

it("a baseline is taken from one host of each SKU", async () => {
  const { world } = stack;
  expect(references()).toHaveLength(5);
  for (const [machine, hostId] of references()) {
    const proposal = granted(
      await proposeSkuOfHost(world.backend, world.actor("provider-admin"), { hostId }),
    );
    await perform(stack, "provider-admin", captureSkuBaseline, {
      ...{ sku: machine.sku, hostId, reason: "reference host" },
      bios: Object.keys(proposal.bios ?? {}).slice(0, maxBiosSettings),
      // Of the generic machines nothing of the BMC is named: what is wanted of every host is wanted of them.
      bmc: isGeneric(machine) ? [] : [...knownBmcParts(proposal.bmc)],
    });
  }
});

it(
  "with it all return: each has every item as wanted, and its devices are cleared if it has any",
  async () => {
    await provide(stack, hostIds);
    await waitForStates(stack, hostIds, ["Ready"], limitMs);
    const [platform, memory] = [await gatesOf("platformAtBaseline"), await gatesOf("deviceMemoryCleared")];
    for (const [at, hostId] of hostIds.entries()) {
      const gpus = z.array(z.unknown()).parse(stack.machines[at]?.parts["gpu"]);
      expect(platform.get(hostId)).toMatchObject({
        status: "satisfied",
        reason: expect.stringMatching(/^\d+ items as wanted/),
      });
      expect(memory.get(hostId)).toMatchObject(
        gpus.length > 0
          ? { status: "satisfied", reason: expect.stringMatching(/^cleared: NVIDIA/) }
          : {
              status: "not required",
              reason: "none of the host's PCI devices is a GPU, an accelerator or an NVLink switch",
            },
      );
    }
  },
  limitMs,
);

interface Change {
  readonly vendor: Machine["vendor"];
  /** What somebody left on the BMC, and what is wrong with the machine. */
  readonly left?: Readonly<Record<string, unknown>>;
  readonly faults?: (machine: Machine) => Faults;
  /** Steps that are switched off for this host, so that its reading finds what they would set back. */
  readonly without?: readonly string[];
  /** Where it stops, and with what; without: the host is set back and Ready. */
  readonly stops?: readonly [State, RegExp];
}

/** Exactly this item is open. */
const gate = (item: RegExp): readonly [State, RegExp] => [
  "Failed/GateUnsatisfied",
  new RegExp(`^The host is not proven: platformAtBaseline: ${item.source}\\.$`),
];
const memory = (words: RegExp): readonly [State, RegExp] => ["Failed/GateUnsatisfied", words];
const gpu = (fault: object) => (): Faults => ({ parts: { "0000:4b:00.0": fault } });
const differs = ["BomValidating/SkuVerificationFailed"] as const;
const bios = { bios: { LogicalProc: "Disabled" } };

/** One of each kind of item that the simulated machines tell. */
const changes: Readonly<Record<string, Change>> = {
  "a BIOS attribute": { vendor: "dell", left: bios },
  "a BIOS attribute, with nobody to set it back": {
    ...{ vendor: "dell", left: bios, without: ["bios.recommit"] },
    stops: gate(/BIOS LogicalProc: "Enabled" wanted, "Disabled"/),
  },
  "the boot order": { vendor: "dell", left: { bootFirst: "Boot0001" } },
  "the boot order, with nobody to set it back": {
    ...{ vendor: "dell", left: { bootFirst: "Boot0001" }, without: ["management.restore_boot_order"] },
    stops: gate(/boot order: HTTP Device 1: NIC in Slot 5 Port 1 wanted, Unavailable: ubuntu, .*/),
  },
  "a boot entry": { vendor: "dell", left: { bootEntry: "evil" } },
  "a boot entry, with nobody to remove it": {
    ...{ vendor: "lenovo", left: { bootEntry: "evil" }, without: ["management.verify_bmc_baseline"] },
    stops: gate(/boot entries: at most .* wanted, not allowed: evil/),
  },
  "the host interface": { vendor: "lenovo", left: { hostInterface: true } },
  "the host interface, with nobody to switch it off": {
    ...{ vendor: "dell", left: { hostInterface: true }, without: ["management.verify_bmc_baseline"] },
    stops: gate(/host interface: off wanted, on/),
  },
  "firmware of a Dell": {
    ...{ vendor: "dell", left: { firmware: { "Installed-159-1.8.2__BIOS.Setup.1-1": "1.9.0" } } },
    stops: ["Failed/PlatformCleanFailed", /BIOS is 1\.9\.0, not 1\.8\.2/],
  },
  "firmware of a Lenovo": {
    ...{ vendor: "lenovo", left: { firmware: { UEFI: "12A-9.99" } } },
    stops: ["Failed/PlatformCleanFailed", /UEFI is 12A-9\.99, not 12A-1\.02/],
  },
  "a network protocol": {
    ...{ vendor: "dell", left: { protocols: { Telnet: true } } },
    stops: gate(/network protocols: .* wanted, .*, Telnet, .*/),
  },
  "the UEFI password": {
    ...{ vendor: "dell", left: { bios: { SHA256SetupPassword: "" } } },
    stops: gate(/UEFI password: set wanted, not set/),
  },
  "the mode of a DPU": {
    ...{ vendor: "dell", left: { dpuMode: "NicMode" } },
    stops: gate(/DPU mode: DpuMode wanted, NicMode/),
  },
  "the lockdown": {
    ...{ vendor: "dell", left: { attributes: { "Lockdown.1.SystemLockdown": "Enabled" } } },
    stops: ["Failed/PlatformCleanFailed", /lock/],
  },
  "a TPM that is not cleared": {
    ...{ vendor: "dell", faults: () => ({ jobs: { fails: 20 } }) },
    stops: ["Failed/PlatformCleanFailed", /management\.clear_tpm failed/],
  },
  "an account": {
    vendor: "generic",
    left: { account: "tenant" },
    stops: gate(/accounts: none wanted, not allowed: tenant/),
  },
  "a key": {
    vendor: "generic",
    left: { key: "ssh-ed25519 evil" },
    stops: gate(/account keys: none wanted, not allowed: 1 key .*/),
  },
  "a subscription": {
    ...{ vendor: "generic", left: { subscription: "https://evil.example" } },
    stops: gate(/event subscriptions: none wanted, not allowed: https:\/\/evil\.example/),
  },
  "a medium": {
    ...{ vendor: "generic", left: { medium: "http://evil.example/a.iso" } },
    stops: gate(/virtual media: none wanted, not allowed: virtual medium http:\/\/evil\.example\/a\.iso/),
  },
  "a secure-boot key": {
    ...{ vendor: "generic", left: { certificate: "EVIL" } },
    stops: gate(/secure boot \w+: the vendor's keys wanted, 2 keys .*/),
  },
  "GPU memory that keeps its content": {
    ...{ vendor: "lenovo", faults: gpu({ memory: "kept" }) },
    stops: memory(/deviceMemoryCleared: GPU in slot 0000:4b:00\.0 .* is still there/),
  },
  "GPU memory that no program clears": {
    ...{ vendor: "lenovo", faults: gpu({ memory: "unsupported" }) },
    stops: memory(/deviceMemoryCleared: .*0000:4b:00\.0/),
  },
  "firmware of a GPU that shows the same version": {
    ...{ vendor: "lenovo", faults: () => ({ quirks: ["changedComponent"] }) },
    stops: gate(/measurements GPU_\w+: .* wanted, 2 [0-9a-f]{12}….*/),
  },
  "a GPU that signs nothing for this reading": {
    ...{ vendor: "dell", faults: () => ({ quirks: ["replaysMeasurements"] }) },
    stops: gate(/measurements GPU_\w+: the report answers another request: .*/),
  },
  "a swapped GPU": {
    ...{ vendor: "lenovo", faults: gpu({ replaced: 1 }) },
    stops: [...differs, /GPU in slot 0000:4b:00\.0: serial \d+ .* before, serial \d+ .* now/],
  },
  "a lost GPU": {
    ...{ vendor: "lenovo", faults: gpu({ lost: "driver" }) },
    stops: [...differs, /GPU in slot 0000:4b:00\.0 .*the GPU is lost/],
  },
  "a GPU with a slow link": {
    ...{ vendor: "lenovo", faults: gpu({ lanes: 4 }) },
    stops: [...differs, /GPU in slot 0000:4b:00\.0 .*its PCIe link has 4 of 16 lanes/],
  },
};

/** For each change a host of its own, and none that a baseline was taken from. */
function chosen(): ReadonlyMap<string, { readonly name: string; readonly machine: Machine }> {
  const taken = new Set(references().map(([, hostId]) => hostId));
  const found = new Map<string, { name: string; machine: Machine }>();
  for (const [name, { vendor }] of Object.entries(changes)) {
    const at = stack.machines.findIndex(
      (machine, index) => machine.vendor === vendor && !taken.has(hostIds[index] ?? ""),
    );
    const [machine, hostId] = [stack.machines[at], hostIds[at]];
    if (machine === undefined || hostId === undefined) throw new Error(`no ${vendor} host left for ${name}`);
    taken.add(hostId);
    found.set(hostId, { name, machine });
  }
  return found;
}

it(
  "one changed item of each kind is set back, or stops the host that has it and no other",
  async () => {
    const changed = chosen();
    await manage(stack, hostIds);
    for (const [hostId, { name, machine }] of changed) {
      const { left, faults, without = [] } = changes[name] ?? {};
      if (left !== undefined) await stack.fleet.leaveOnBmc(machine.serial, left);
      if (faults !== undefined) await stack.fleet.fault(machine.serial, faults(machine));
      for (const step of without)
        await stack.pool.query(
          "INSERT INTO step_override (scope, scope_id, interface, step, priority) VALUES ('host', $1, $2, $3, 0)",
          [hostId, ...step.split(".")],
        );
    }
    await provide(stack, hostIds);
    const ends = [...new Set(Object.values(changes).flatMap(({ stops }) => stops?.[0] ?? []))];
    await waitForStates(stack, hostIds, ["Ready", ...ends], limitMs, "mayFail");
    const rows = await hostRows(stack, hostIds);
    for (const { host_id: hostId, state, last_error: said } of rows) {
      const name = changed.get(hostId)?.name ?? "nothing";
      const [wanted, words] = changes[name]?.stops ?? ["Ready", null];
      expect.soft({ name, state }).toEqual({ name, state: wanted });
      if (words !== null) expect.soft(said, name).toMatch(words);
    }
    // What was set back was so by its step, once.
    const { rows: runs } = await stack.pool.query<{ step: string; message: string; attempt: number }>(
      `SELECT DISTINCT ON (c.host_id, r.step) r.step, r.message, r.attempt FROM step_run r JOIN reclamation c ON c.id = r.reclamation_id
       WHERE c.host_id = ANY($1) AND r.step IN ('recommit', 'restore_boot_order', 'verify_bmc_baseline') ORDER BY c.host_id, r.step, c.number DESC`,
      [[...changed].flatMap(([hostId, { name }]) => (changes[name]?.stops === undefined ? [hostId] : []))],
    );
    for (const [step, message] of [
      ["recommit", /^in effect after the restart: .*LogicalProc "Enabled"/],
      ["restore_boot_order", /^after the restart the boot order begins as the baseline says/],
      ["verify_bmc_baseline", /^removed boot entry evil/],
      ["verify_bmc_baseline", /^removed host interface \S+ enabled/],
    ] as const)
      expect(runs).toContainEqual({ step, message: expect.stringMatching(message), attempt: 1 });
  },
  limitMs,
);
