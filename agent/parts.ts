// The parts that this boot shows besides drives. A kind that cannot be listed is said to be unknown: the inventory goes on without it (docs/parts.md).
import { maxParts, type Part, type PartKind, type PartsReport } from "@/server/domain/hosts/parts/part";
import type { Answer, DriverGpu, Tools } from "@/agent/tools/tools";

/** Exit code of a program that the image does not have. */
const notInstalled = 127;
const reasonLength = 256;

function why({ command, exitCode, status }: Answer<unknown>): string {
  const [program = command] = command.split(" --query");
  const said =
    exitCode === notInstalled
      ? `${command.split(" ")[0] ?? command} is not in the agent image`
      : `${program} answered ${exitCode}: ${status.split("\n")[0] ?? ""}`;
  return said.slice(0, reasonLength);
}

const nvidiaId = /^10de:/;

const ofDriver = (gpu: Part, driver: DriverGpu): Part => ({
  ...gpu,
  ...driver,
  kind: "gpu",
  link: { ...gpu.link, ...driver.link, ...leastMaximum(gpu, driver) },
});

/** The driver's maximum is the GPU's; that of the bus counts the slot, too. */
function leastMaximum(
  gpu: Part,
  driver: DriverGpu,
): Pick<NonNullable<Part["link"]>, "maxWidth" | "maxSpeed"> {
  const widths = [gpu.link?.maxWidth, driver.link?.maxWidth].filter((each) => each !== undefined);
  const found = [gpu.link?.maxSpeed, driver.link?.maxSpeed].filter((each) => each !== undefined);
  return {
    ...(widths.length === 0 ? {} : { maxWidth: Math.min(...widths) }),
    ...(found.length === 0 ? {} : { maxSpeed: Math.min(...found) }),
  };
}

/** NVIDIA's GPUs with what their driver says of them. One that the driver does not list is lost, whatever the bus shows. */
function withDriver(onBus: readonly Part[], answer: Answer<readonly DriverGpu[]>): readonly Part[] {
  if (answer.value === null)
    return answer.exitCode === notInstalled
      ? onBus
      : onBus.map((each) =>
          each.kind === "gpu" && nvidiaId.test(each.pciId ?? "") ? { ...each, fault: why(answer) } : each,
        );
  const drivers = new Map(answer.value.map((gpu) => [gpu.slot, gpu]));
  const merged = onBus.map((each) => {
    if (each.kind !== "gpu" || !nvidiaId.test(each.pciId ?? "")) return each;
    const driver = drivers.get(each.slot);
    drivers.delete(each.slot);
    return driver === undefined
      ? { ...each, fault: "nvidia-smi does not list it: the GPU is lost" }
      : ofDriver(each, driver);
  });
  const unseen = [...drivers.values()].map((gpu): Part => ({ ...gpu, kind: "gpu" }));
  return [...merged, ...unseen];
}

const pciKinds = ["gpu", "nic", "dpu", "nvswitch"] as const satisfies readonly PartKind[];

/** Everything that could be read, and why the rest could not. Rejects only if a tool does. */
export async function readParts({ parts: tools }: Pick<Tools, "parts">): Promise<PartsReport> {
  const bus = await tools.pci();
  const memory = await tools.memory();
  const onBus = bus.value ?? [];
  const hasNvidia = onBus.some(({ kind, pciId }) => kind === "gpu" && nvidiaId.test(pciId ?? ""));
  const cards = hasNvidia ? withDriver(onBus, await tools.gpus()) : onBus;
  const found = [...cards, ...(memory.value ?? [])];
  if (found.length > maxParts) {
    const reason = `the machine shows more than ${maxParts} parts`;
    return {
      told: [],
      untold: [...pciKinds, "memory" as const].map((kind) => ({ kind, reason })),
      found: [],
    };
  }
  return {
    told: [...(bus.value === null ? [] : pciKinds), ...(memory.value === null ? [] : ["memory" as const])],
    untold: [
      ...(bus.value === null ? pciKinds.map((kind) => ({ kind, reason: why(bus) })) : []),
      ...(memory.value === null ? [{ kind: "memory" as const, reason: why(memory) }] : []),
    ],
    found,
  };
}
