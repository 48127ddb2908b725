// Hardware type `fake`: in-process adapters that contact nothing, change nothing and succeed, like Ironic's `fake-hardware` (docs/adr/0015-fake-hardware.md).
import { noPlatformFacts } from "@/server/domain/hosts/inventory/platform";
import { cleanSteps } from "@/server/domain/cleaning/steps/catalogue";
import { stepInterfaces, stepName } from "@/server/domain/cleaning/steps/step";
import { nothingToWatch } from "@/server/domain/hosts/ready-watch/reading";
import { fakeHardwareType, fakeIdentity } from "@/server/domain/hosts/fake/fake-type";
import type {
  BmcTarget,
  HardwareResult,
  HardwareType,
  PowerState,
  StepCode,
  StepProgress,
  SystemReading,
} from "@/server/hardware/interfaces";

const ok = <T>(value: T): HardwareResult<T> => ({ ok: true, value });

/** A host without a machine reads as whatever was last asked of it. */
function reading({ hostId, powerState }: BmcTarget, power: PowerState = powerState ?? "off"): SystemReading {
  const { serial, systemUuid } = fakeIdentity(hostId);
  return {
    power,
    bootOverride: { source: "none", enabled: false },
    serial,
    uuid: systemUuid,
    manufacturer: "none",
    model: "fake hardware",
    resetMark: null,
  };
}

const nothing: StepProgress = { kind: "done", message: "fake hardware: nothing was done", devices: [] };
const code: StepCode = {
  begin: () => Promise.resolve(ok(nothing)),
  check: () => Promise.resolve(ok(nothing)),
};

/** Every step that a fake host can be asked for. A reserved step is listed under every interface. */
const steps: ReadonlyMap<string, StepCode> = new Map(
  cleanSteps
    .flatMap((step) =>
      step.reserved
        ? stepInterfaces.map((name) => stepName({ interface: name, step: step.step }))
        : [stepName(step)],
    )
    .map((name) => [name, code]),
);

/** Their full names. */
export const fakeStepNames: ReadonlySet<string> = new Set(steps.keys());

/** No call leaves the process, so no permit is asked for. */
export const fakeHardware: HardwareType = {
  name: fakeHardwareType,
  withoutBmc: true,
  power: {
    read: (target) => Promise.resolve(ok(reading(target))),
    reset: (target, kind) =>
      Promise.resolve(ok(reading(target, kind === "forceOff" || kind === "softOff" ? "off" : "on"))),
    restart: (target) => Promise.resolve(ok({ system: reading(target, "on"), proof: "powerOff" as const })),
  },
  management: { setBootOnce: (target) => Promise.resolve(ok(reading(target))) },
  inventory: {
    discover: (target) =>
      Promise.resolve(
        ok({
          links: {
            system: "",
            manager: "",
            resetAction: "",
            resetTypes: [],
            bootTargets: [],
            sessions: null,
          },
          system: reading(target),
        }),
      ),
    collect: (target) =>
      Promise.resolve(
        ok({
          inventory: {
            system: reading(target),
            storage: [],
            unresolved: [],
            macs: [],
            firmware: [],
            platform: noPlatformFacts,
            bios: null,
            bmcSettings: null,
            boot: null,
          },
          leftOut: ["drives, network ports and firmware: there is no machine"],
        }),
      ),
    storage: (target) =>
      Promise.resolve(
        ok({ system: reading(target), storage: [], unresolved: [], platform: noPlatformFacts }),
      ),
    watch: (target) => Promise.resolve(ok({ system: reading(target), watched: nothingToWatch })),
  },
  steps,
};
