// The reserved steps `power_on` and `power_off`, through the power interface of any hardware type.
import type { HardwareType, PowerState, StepCode, StepProgress } from "@/server/hardware/interfaces";

/** By step name, without the interface. */
export function powerSteps(type: HardwareType): ReadonlyMap<string, StepCode> {
  return new Map([
    ["power_on", switching(type, "on")],
    ["power_off", switching(type, "off")],
  ]);
}

/** No-op if the host is already in the wanted state, so it is idempotent. */
function switching({ power }: HardwareType, wanted: PowerState & ("on" | "off")): StepCode {
  const told = (found: PowerState): StepProgress =>
    found === wanted
      ? { kind: "done", message: `the power reads ${wanted}`, devices: [] }
      : { kind: "running", handle: wanted, percent: null, message: `the power reads ${found}` };
  return {
    async begin({ target }, options) {
      const read = await power.read(target, options);
      if (!read.ok) return read;
      if (read.value.power === wanted) return { ok: true, value: told(wanted) };
      const sent = await power.reset(target, wanted === "on" ? "on" : "forceOff", options);
      return sent.ok ? { ok: true, value: told(sent.value.power) } : sent;
    },
    async check({ target }, _handle, options) {
      const read = await power.read(target, options);
      return read.ok ? { ok: true, value: told(read.value.power) } : read;
    },
  };
}
