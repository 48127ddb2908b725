// Devices with memory of their own, and what the step `deploy.clear_device_memory` reports of each (docs/adr/0144-device-memory.md).
import { formatCounted } from "@/server/domain/numbers";
import { z } from "zod";
import type { PartChange } from "@/server/domain/hosts/parts/changes";
import type { Part, PartsReport } from "@/server/domain/hosts/parts/part";

/** Kinds of parts that a tenant's programs may have left something in. */
export const memoryKinds = ["gpu", "nvswitch"] as const;

/** Whether this part has memory or settings of its own that a tenant could write to. Pure. */
export const holdsMemory = (part: Part): part is Part & { readonly kind: (typeof memoryKinds)[number] } =>
  memoryKinds.some((each) => each === part.kind);

const identity = {
  kind: z.enum(memoryKinds),
  slot: z.string().min(1).max(128),
  model: z.string().max(256),
  serial: z.string().max(128).exactOptional(),
  /** PCI vendor and device. */
  pciId: z.string().max(16).exactOptional(),
};

/** One device, as an agent lists it. */
export const memoryDevice = z.object(identity);
export type MemoryDevice = z.infer<typeof memoryDevice>;

/** What identifies a part that holds memory. Pure. */
export const memoryDeviceOf = ({
  kind,
  slot,
  model,
  serial,
  pciId,
}: Part & Pick<MemoryDevice, "kind">): MemoryDevice => ({
  ...{ kind, slot, model },
  ...(serial === undefined ? {} : { serial }),
  ...(pciId === undefined ? {} : { pciId }),
});

/**
 * `absent`, `present`: after the clearing, of the canaries that were written before it. `unreadable`: the window to the memory could not be read
 * afterwards. `none`: no canary could be written.
 */
export const canaryResults = ["absent", "present", "unreadable", "none"] as const;

/** What the step did to one device, as it was then. */
export const clearedDevice = z.strictObject({
  ...identity,
  /** The device, or for a switch its bus, reported that it is done. */
  cleared: z.boolean(),
  canary: z.enum(canaryResults),
  /** What the program answered, or why nothing was done. */
  said: z.string().max(1_000),
});
export type ClearedDevice = z.infer<typeof clearedDevice>;

/** The largest machine has 16 GPUs and 12 switches. */
export const maxMemoryDevices = 128;

/** Whether a change of a host's parts brought such a device in. Pure. */
export const bringsMemory = ({ kind, now }: PartChange): boolean =>
  now !== null && memoryKinds.some((each) => each === kind);

/** The devices that an agent lists, or why they are not known. */
export type FoundDevices =
  | { readonly known: true; readonly devices: readonly MemoryDevice[] }
  | { readonly known: false; readonly why: string };

/** Unknown is never none. `byBmc`: what the host's BMC listed when it was last read; a GPU there that the agent does not see is unknown. Pure. */
export function memoryDevicesOf(byAgent: PartsReport | undefined, byBmc: PartsReport | null): FoundDevices {
  if (byAgent === undefined) return { known: false, why: "the agent does not list its PCI devices" };
  const untold = memoryKinds.find((kind) => !byAgent.told.includes(kind));
  // safety: device memory: a list that was not read
  if (untold !== undefined) {
    const why = byAgent.untold.find(({ kind }) => kind === untold)?.reason ?? "it gives no reason";
    return { known: false, why: `the agent could not list its PCI devices: ${why}` };
  }
  const found = byAgent.found.filter(holdsMemory);
  const gpusOf = (parts: readonly Part[]): number => parts.filter(({ kind }) => kind === "gpu").length;
  const [listed, seen] = [gpusOf(byBmc?.found ?? []), gpusOf(found)];
  // safety: device memory: a GPU that only the BMC lists
  if (listed > seen)
    return {
      known: false,
      why: `the BMC lists ${formatCounted(listed, "GPU")}, and the agent finds ${seen === 0 ? "none" : seen}`,
    };
  return { known: true, devices: found.map(memoryDeviceOf) };
}

/** Whether the step has something to do. Pure. */
export const hasMemoryDevices = (byAgent: PartsReport | undefined): boolean =>
  byAgent?.found.some(holdsMemory) ?? false;

export const memoryVerdicts = ["cleared", "kept", "unproven"] as const;
export type MemoryVerdict = (typeof memoryVerdicts)[number];
export type CanaryResult = (typeof canaryResults)[number];

/** What people read of a verdict. */
export const clearedWords = {
  cleared: "cleared",
  kept: "kept content",
  unproven: "not proven",
} as const satisfies Record<MemoryVerdict, string>;

/** What people read of the canaries. */
export const canaryWords = {
  absent: "what was written before is gone",
  present: "what was written before is still there",
  unreadable: "its memory could not be read afterwards",
  none: "nothing could be written before",
} as const satisfies Record<CanaryResult, string>;

/** The worst first. */
const canarySeverity: readonly CanaryResult[] = ["present", "unreadable", "none", "absent"];

/** The worst of what was found at a device's slot; undefined: the step did not treat it. Pure. */
export function canaryAt(slot: string, results: readonly ClearedDevice[]): CanaryResult | undefined {
  const found = results.filter((each) => each.slot === slot).map(({ canary }) => canary);
  return canarySeverity.find((each) => found.includes(each));
}

interface Judged {
  readonly verdict: MemoryVerdict;
  readonly why: string;
}

/** Of a GPU, only canaries that were there and are gone show that the clearing it reports reached its memory. A switch has none. */
const looked = {
  absent: null,
  unreadable: "its memory could not be read afterwards, which would show that it is clear",
  none: "its memory could not be written before, which would show that it is clear",
} as const;

/** What one result of the step proves, and why. Pure. */
function judgeResult(result: ClearedDevice): Judged {
  // safety: device memory: what was written is still there
  if (result.canary === "present")
    return { verdict: "kept", why: "what was written to its memory is still there after it was cleared" };
  // safety: device memory: a device that did not report that it is clear
  if (!result.cleared) return { verdict: "unproven", why: result.said };
  const doubt = looked[result.canary];
  if (result.kind === "nvswitch" && result.canary === "none") return { verdict: "cleared", why: result.said };
  // safety: device memory: a GPU whose memory was not looked at
  if (doubt !== null) return { verdict: "unproven", why: `${result.said}; ${doubt}` };
  return { verdict: "cleared", why: `${result.said}; what was written before is gone` };
}

const severity = { cleared: 0, unproven: 1, kept: 2 } as const satisfies Record<MemoryVerdict, number>;

const differ = (left: string | undefined, right: string | undefined): boolean =>
  left !== undefined && right !== undefined && left !== right;

/** The step reads no serial numbers where only the driver's program has them; names come from programs, so the PCI id decides where both have one. */
const isSame = (left: MemoryDevice, right: MemoryDevice): boolean =>
  left.kind === right.kind &&
  !differ(left.serial, right.serial) &&
  (left.pciId === undefined || right.pciId === undefined
    ? left.model === right.model
    : left.pciId === right.pciId);

/** What is proven of one device. `results`: of the step in the current plan; of several for one slot the worst counts. Pure. */
export function judgeMemory(device: MemoryDevice, results: readonly ClearedDevice[]): Judged {
  const here = results.filter(({ slot }) => slot === device.slot);
  const [worst] = here
    .map(judgeResult)
    .toSorted((left, right) => severity[right.verdict] - severity[left.verdict]);
  if (worst === undefined) return { verdict: "unproven", why: "the step did not treat it" };
  // safety: device memory: another device in the slot
  if (worst.verdict === "cleared" && !here.every((each) => isSame(each, device)))
    return { verdict: "unproven", why: "another device was in its slot when the step ran" };
  return worst;
}
