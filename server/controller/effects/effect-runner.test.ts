// What is sent to a BMC for a boot and for a person's power action: the order, and the permits.
import { describe, expect, it } from "vitest";
import {
  effectLimits,
  isHeldBack,
  performEffect,
  readPower,
} from "@/server/controller/effects/effect-runner";
import type { EffectDependencies, EffectOrder } from "@/server/controller/effects/effect-runner";
import { readOutcome } from "@/server/controller/host/effect-outcome";
import type { EffectView } from "@/server/domain/hosts/record/effect";
import type { TargetRow } from "@/server/db/hot/hardware/targets";
import type { PermitQuestion } from "@/server/db/hot/hardware/effects";
import { fakeHardware } from "@/server/hardware/fake/hardware-type";
import type { BmcStorage, HardwareType, PowerState, SystemReading } from "@/server/hardware/interfaces";

const mark = "2026-11-01T10:00:00Z";

async function sent(
  kind: EffectOrder["effect"]["kind"],
  request: Record<string, unknown>,
  power: PowerState = "on",
  permitted: (phase: string) => boolean = () => true,
  drives: BmcStorage | null = null,
  bmcRestarts = false,
) {
  const calls: string[] = [];
  const permits: Pick<PermitQuestion, "phase" | "power" | "resetMark">[] = [];
  const reading: SystemReading = {
    power,
    bootOverride: { source: "none", enabled: false },
    serial: "S",
    uuid: "u",
    manufacturer: "",
    model: "",
    resetMark: mark,
  };
  const refused = {
    ok: false,
    error: { kind: "refused", message: "not permitted", unknownOutcome: false },
  } as const;
  const type: HardwareType = {
    ...fakeHardware,
    power: {
      read: async () => ({ ok: true, value: reading }),
      reset: async (_target, how, options) =>
        (await options.permit?.()) === true
          ? (calls.push(`reset ${how}`), { ok: true, value: reading })
          : refused,
      restart: async (_target, how, options) => {
        if ((await options.permit?.()) !== true) return refused;
        calls.push(`restart ${JSON.stringify({ ...how, before: how.before.resetMark })}`);
        return {
          ok: true,
          value: { system: { ...reading, resetMark: "2026-11-01T12:00:00Z" }, proof: "resetMark" },
        };
      },
    },
    inventory: {
      ...fakeHardware.inventory,
      storage: async (_target, options) => (
        calls.push(`storage ${options.timeoutMs}`),
        drives === null ? refused : { ok: true, value: drives }
      ),
    },
    management: {
      setBootOnce: async (_target, source, options) =>
        (await options.permit?.()) === true
          ? (calls.push(`boot ${source}`), { ok: true, value: reading })
          : refused,
    },
  };
  // Only the fields that performEffect reads.
  const dependencies = { hardware: new Map([[type.name, type]]) } as unknown as EffectDependencies;
  const order = {
    permits: {
      ask: async (question: PermitQuestion) => (
        permits.push({ phase: question.phase, power: question.power, resetMark: question.resetMark }),
        permitted(question.phase)
      ),
    },
    fence: { hostId: "h", generation: "1", effectId: "e" },
    effect: { id: "e", kind, request, quietMs: 0 },
    limits: { timeoutMs: 1_000, holdMs: 2_000 },
    target: {
      host_id: "h",
      hardware_type: type.name,
      bmc_address: null,
      bmc_username: null,
      bmc_password: null,
      bmc_links: null,
      power_state: null,
      serial: null,
      system_uuid: null,
      bmc_trust: "pinOrAuthority",
      bmc_restarts: bmcRestarts,
      authorities: { bmc: null, networkController: null },
    },
  } as unknown as EffectOrder;
  const outcome = await performEffect(dependencies, order);
  return { calls, permits, outcome };
}

describe("a boot into the agent", () => {
  it("is a network boot, then a restart whose permit keeps the mark from before; its value is the proof", async () => {
    const { calls, permits, outcome } = await sent("bootAgent", { bootEpoch: 4, powerCycle: false });
    expect(calls).toEqual(["boot pxe", `restart {"before":"${mark}","powerCycle":false,"offAndOn":false}`]);
    expect(permits).toEqual([
      { phase: "setBoot", power: false, resetMark: null },
      { phase: "reset", power: true, resetMark: mark },
    ]);
    expect(outcome).toMatchObject({
      status: "done",
      value: { resetMark: "2026-11-01T12:00:00Z", restart: { proof: "resetMark", before: mark } },
    });
    expect(outcome.value).not.toHaveProperty("storage");
  });

  const drives = { storage: [] } as unknown as BmcStorage;

  it.each([
    ["what was read", drives],
    ["nothing where they could not be read", null],
  ])("reads the drives first where it is asked to, and tells %s", async (_what, read) => {
    const { calls, outcome } = await sent(
      "bootAgent",
      { bootEpoch: 4, powerCycle: false, storage: "r:0:before" },
      "on",
      undefined,
      read,
    );
    expect(calls.map((call) => call.split(" ")[0])).toEqual(["storage", "boot", "restart"]);
    expect(calls[0]).toBe("storage 333");
    expect(outcome).toMatchObject({ status: "done", value: { storage: { of: "r:0:before", read } } });
  });
});

describe("a BMC that was told to restart", () => {
  const whileItRestarts = (kind: EffectOrder["effect"]["kind"], request: Record<string, unknown>) =>
    sent(kind, request, "on", undefined, null, true);

  it.each([
    ["bootAgent", { bootEpoch: 4, powerCycle: false }],
    ["lookBoot", { clearBoot: true }],
    ["power", { kind: "powerOn" }],
    ["bootDisk", {}],
    ["leftovers", {}],
    ["step", {}],
  ] as const)(
    "gets no %s, which reads as never sent, so that it is asked for again and counts as no failure",
    async (kind, request) => {
      const { calls, permits, outcome } = await whileItRestarts(kind, request);
      expect([calls, permits]).toEqual([[], []]);
      expect(isHeldBack(outcome)).toBe(true);
      const { status, error, value } = outcome;
      const effect = { kind, request, status, result: { value, error }, generation: "1" };
      expect(readOutcome(effect as unknown as EffectView, "1")).toEqual({ kind: "neverSent" });
    },
  );

  it.each([
    ["readSystem", {}],
    ["power", { intent: "powerOff", look: true }],
  ] as const)("is read: %s", async (kind, request) => {
    const { outcome } = await whileItRestarts(kind, request);
    expect(outcome).toMatchObject({ status: "done" });
  });
});

describe("power that a person asked for", () => {
  /** A proven restart, whatever the power state is. */
  const restart = 'restart {"before":"2026-11-01T10:00:00Z","offAndOn":false,"powerCycle":false}';

  it.each([
    ["reboot", "on", ["boot pxe", restart]],
    ["reboot", "off", ["boot pxe", restart]],
    ["powerOn", "off", ["boot pxe", "reset on"]],
    ["powerOn", "on", []],
    ["powerOff", "on", ["reset forceOff"]],
    ["softPowerOff", "on", ["reset softOff"]],
    ["softReboot", "on", ["reset softOff"]],
    ["softReboot", "off", []],
    ["injectNmi", "on", ["reset nmi"]],
    ["injectNmi", "off", []],
  ] as const)("%s of a held host that is %s", async (intent, power, calls) => {
    expect((await sent("power", { intent, look: false, network: true }, power)).calls).toEqual(calls);
  });

  it("starts no held host whose boot source could not be set", async () => {
    const { calls, outcome } = await sent(
      "power",
      { intent: "reboot", look: false, network: true },
      "on",
      (phase) => phase !== "setBoot",
    );
    expect(calls).toEqual([]);
    expect(outcome.status).toBe("failed");
  });

  it("of another host leaves the boot source alone", async () => {
    expect((await sent("power", { intent: "reboot", look: false })).calls).toEqual([restart]);
  });
});

describe("a certificate that is not the one that the BMC must show", () => {
  const shown = {
    sha256: "cd".repeat(32),
    subject: "CN=bmc",
    issuer: "CN=bmc",
    validFrom: "2026-01-01T00:00:00.000Z",
    validTo: "2036-01-01T00:00:00.000Z",
    trusted: false,
    refusal: "DEPTH_ZERO_SELF_SIGNED_CERT",
  };
  const untrusted = {
    ok: false,
    error: { kind: "untrusted", message: "a certificate other than", unknownOutcome: false },
  } as const;

  function perform(
    kind: "bootAgent" | "lookBoot" | "verify",
    row: {
      readonly serial: string | null;
      readonly first_contact_accepted: boolean;
      readonly authorities?: null;
    },
    asked: string[] = [],
  ) {
    const { withoutBmc: _none, ...fake } = fakeHardware;
    const type: HardwareType = {
      ...fake,
      power: { ...fake.power, read: async () => untrusted },
      management: { setBootOnce: async () => untrusted },
      inventory: {
        ...fake.inventory,
        certificate: async (_target, { timeoutMs }) => (
          asked.push(`certificate ${timeoutMs}`),
          { ok: true, value: shown }
        ),
        discover: async () => (asked.push("password"), untrusted),
      },
    };
    const dependencies = {
      hardware: new Map([[type.name, type]]),
      secrets: { open: () => "secret" },
    } as unknown as EffectDependencies;
    return performEffect(dependencies, {
      permits: { ask: async () => true },
      fence: { hostId: "h", generation: "1", effectId: "e" },
      effect: { id: "e", kind, request: { bootEpoch: 4, powerCycle: false }, quietMs: 0 },
      limits: { timeoutMs: 1_000, holdMs: 2_000 },
      target: {
        host_id: "h",
        hardware_type: type.name,
        bmc_address: "https://bmc",
        bmc_username: "root",
        bmc_password: Buffer.from("sealed"),
        bmc_certificate: null,
        bmc_links: null,
        power_state: null,
        system_uuid: null,
        bmc_trust: "pinOrAuthority",
        authorities: { bmc: null, networkController: null },
        ...row,
      },
    } as unknown as EffectOrder);
  }

  it.each(["bootAgent", "lookBoot"] as const)("is told by %s, so that it can be confirmed", async (kind) => {
    const asked: string[] = [];
    expect(await perform(kind, { serial: "S", first_contact_accepted: false }, asked)).toEqual({
      status: "failed",
      error: { kind: "untrusted", message: "a certificate other than" },
      value: { certificate: shown, pin: null },
    });
    expect(asked).toEqual(["certificate 125"]);
  });

  it("is believed at first contact only: not of a host that is identified", async () => {
    const first: string[] = [];
    await perform("verify", { serial: null, first_contact_accepted: true }, first);
    expect(first).toContain("password");
    const later: string[] = [];
    expect(await perform("verify", { serial: "S", first_contact_accepted: true }, later)).toMatchObject({
      status: "failed",
      error: { kind: "untrusted", message: expect.stringContaining("not issued by a trusted authority") },
    });
    expect(later).not.toContain("password");
  });

  it("is not asked for where the site's authorities cannot be read", async () => {
    const asked: string[] = [];
    expect(
      await perform("verify", { serial: null, first_contact_accepted: true, authorities: null }, asked),
    ).toMatchObject({
      status: "failed",
      error: { message: expect.stringContaining("authorities cannot be read") },
    });
    expect(asked).toEqual([]);
  });
});

describe("power that nobody asked for", () => {
  const read = (found: { serial: string; uuid: string }, links: Record<string, unknown>) => {
    const type: HardwareType = {
      ...fakeHardware,
      power: {
        ...fakeHardware.power,
        read: async () => ({
          ok: true,
          value: {
            power: "off",
            bootOverride: { source: "none", enabled: false },
            manufacturer: "",
            model: "",
            resetMark: null,
            ...found,
          },
        }),
      },
    };
    const row = {
      host_id: "h",
      hardware_type: type.name,
      bmc_address: "https://bmc",
      bmc_username: "u",
      bmc_password: Buffer.from(""),
      bmc_links: {
        system: "/s",
        manager: "/m",
        resetAction: "/r",
        resetTypes: [],
        bootTargets: [],
        sessions: null,
        ...links,
      },
      power_state: "on",
      serial: "S",
      system_uuid: "DEADBEEF-0123-4567-89AB-CDEF01234567",
      bmc_trust: "pinOrAuthority",
      authorities: { bmc: null, networkController: null },
    } as unknown as TargetRow;
    const secrets = { open: () => "p" } as unknown as EffectDependencies["secrets"];
    return readPower({ hardware: new Map([[type.name, type]]), secrets }, row, 1_000);
  };

  it.each([
    ["is the host's", { serial: "S", uuid: "deadbeef-0123-4567-89ab-cdef01234567" }, {}, "off"],
    [
      "tells no serial, and never did",
      { serial: "", uuid: "deadbeef-0123-4567-89ab-cdef01234567" },
      { noSerial: true },
      "off",
    ],
    ["tells no serial any more", { serial: "", uuid: "deadbeef-0123-4567-89ab-cdef01234567" }, {}, null],
    [
      "tells another serial",
      { serial: "T", uuid: "deadbeef-0123-4567-89ab-cdef01234567" },
      { noSerial: true },
      null,
    ],
    [
      "tells the system UUID in the other byte order",
      { serial: "S", uuid: "efbeadde-2301-6745-89ab-cdef01234567" },
      {},
      "off",
    ],
    [
      "is of another system",
      { serial: "", uuid: "deadbeef-0123-4567-89ab-cdef01234568" },
      { noSerial: true },
      null,
    ],
  ] as const)("is believed only of a BMC that %s", async (_what, found, links, power) => {
    expect(await read(found, links)).toBe(power);
  });
});

it.each([1_000, 20_000, 60_000, 600_000])("a call and its permit end within a lease of %i ms", (leaseMs) => {
  const { timeoutMs, holdMs } = effectLimits(leaseMs);
  expect(timeoutMs).toBeLessThan(holdMs);
  expect(holdMs).toBeLessThanOrEqual(leaseMs);
});
