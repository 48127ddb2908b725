// The parts of a simulated host as its agent's tools show them: what sysfs, nvidia-smi and dmidecode would say.
import type { DriverGpu, PartTools } from "@/agent/tools/tools";
import type { Part } from "@/server/domain/hosts/parts/part";
import { models } from "@/server/simulator/fleet/models";
import { partSerial } from "@/server/simulator/fleet/part-models";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";
import { done, type ToolCall } from "@/server/simulator/host/tool-call";

const commandMs = 20;

/** The serial number of the part in this place of the model, as agent and BMC show it; empty if such parts report none. */
export function serialOfPart(
  { blueprint: { model, index }, seed, faults }: SimulatedHost,
  place: number,
): string {
  const own = models[model].parts[place];
  if (own === undefined) return "";
  return partSerial(own.capturedSerial, index, place, seed, faults.parts?.[own.slot]?.replaced ?? 0);
}

/** As they are now: with this host's serial numbers, and without those that are gone. */
export function partsOf(host: SimulatedHost): readonly Part[] {
  const { blueprint, faults } = host;
  const { model } = blueprint;
  return models[model].parts.flatMap(({ capturedSerial: _, ...own }, place): Part[] => {
    const fault = faults.parts?.[own.slot];
    if (fault?.lost === "bus") return [];
    const serial = serialOfPart(host, place);
    const { link, nvlinks, ecc } = own;
    return [
      {
        ...own,
        ...(serial === "" ? {} : { serial }),
        ...(link === undefined || fault?.lanes === undefined
          ? {}
          : { link: { ...link, width: fault.lanes } }),
        ...(nvlinks === undefined || fault?.nvlinks === undefined
          ? {}
          : { nvlinks: { ...nvlinks, active: fault.nvlinks } }),
        ...(ecc === undefined
          ? {}
          : {
              ecc: {
                ...ecc,
                ...(fault?.uncorrected === undefined ? {} : { uncorrected: fault.uncorrected }),
                ...(fault?.remapFailed === undefined ? {} : { remapFailed: true }),
              },
            }),
      },
    ];
  });
}

/** What the bus shows of a GPU without its driver: no serial number, memory, NVLinks or errors. */
function onBus({ kind, slot, model, manufacturer, pciId, link, ...rest }: Part): Part {
  const seen = { kind, slot, model, manufacturer, pciId };
  if (kind !== "gpu") return { ...seen, ...rest, link };
  return { ...seen, link: { ...link, speed: undefined } };
}

const byDriver = ({ slot, model, serial, firmware, memoryBytes, link, nvlinks, ecc }: Part): DriverGpu => ({
  ...{ slot, model, serial, firmware, memoryBytes, link, nvlinks, ecc },
});

export const partTools = (host: SimulatedHost, call: ToolCall): PartTools => ({
  pci: () =>
    call("", commandMs, () =>
      done(
        "read /sys/bus/pci/devices",
        partsOf(host)
          .filter(({ kind }) => kind !== "memory")
          .map(onBus),
      ),
    ),
  gpus: () =>
    call("", commandMs, () =>
      done(
        "/usr/bin/nvidia-smi --query-gpu",
        partsOf(host)
          .filter(({ kind, slot }) => kind === "gpu" && host.faults.parts?.[slot]?.lost !== "driver")
          .map(byDriver),
      ),
    ),
  memory: () =>
    call("", commandMs, () =>
      done(
        "/usr/sbin/dmidecode -t 17",
        partsOf(host).filter(({ kind }) => kind === "memory"),
      ),
    ),
});
