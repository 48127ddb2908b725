// The step `deploy.clear_device_memory`: clears the memory of GPUs and resets NVLink switches (docs/adr/0144-device-memory.md).
import { formatCounted } from "@/server/domain/numbers";
import { clearingMs } from "@/server/domain/cleaning/clearing-time";
import {
  holdsMemory,
  maxMemoryDevices,
  memoryDeviceOf,
} from "@/server/domain/hosts/device-memory/device-memory";
import type { ClearedDevice } from "@/server/domain/hosts/device-memory/device-memory";
import type { Part } from "@/server/domain/hosts/parts/part";
import { clip } from "@/agent/steps/results";
import type { Step } from "@/agent/steps/step";
import type { RandomSource } from "@/agent/surroundings";
import type { Answer, DeviceMemoryTools } from "@/agent/tools/tools";

/** Where canaries are written, in bytes from the start of the window. */
const places = [0, 0x4_0000, 0x8_0000, 0xf_fffc] as const;

const nvidia = /^10de:/;
const notInstalled = 127;

const why = ({ command, exitCode, status }: Answer<unknown>): string =>
  exitCode === notInstalled
    ? "the agent image does not have NVIDIA's gpu-admin-tools"
    : `${command} answered ${exitCode}: ${status}`;

/** 28 random bits after a 5: neither zeros nor ones, which cleared or missing memory shows, nor one of NVIDIA's error values, which begin with bad. */
const randomWord = (chance: RandomSource): number =>
  (Buffer.from(chance.bytes(4)).readUInt32BE() & 0x0fff_ffff) + 0x5000_0000;

type Canary = readonly [place: number, word: number];

/** Writes a word at each place and reads all back; those that came back. */
async function writeCanaries(
  tools: DeviceMemoryTools,
  slot: string,
  chance: RandomSource,
): Promise<readonly Canary[]> {
  const sent: Canary[] = [];
  for (const place of places) {
    const word = randomWord(chance);
    if ((await tools.write(slot, place, word)).value === true) sent.push([place, word]);
  }
  const back: Canary[] = [];
  for (const [place, word] of sent)
    if ((await tools.read(slot, place)).value === word) back.push([place, word]);
  return back;
}

/** Looks for what was written before the clearing, then whether the window still leads to memory: missing canaries mean nothing otherwise. */
async function findCanaries(
  tools: DeviceMemoryTools,
  slot: string,
  chance: RandomSource,
  canaries: readonly Canary[],
): Promise<ClearedDevice["canary"]> {
  if (canaries.length === 0) return "none";
  let unread = 0;
  for (const [place, word] of canaries) {
    const { value } = await tools.read(slot, place);
    // safety: agent: a canary in the memory of a device
    if (value === word) return "present";
    if (value === null) unread += 1;
  }
  const again = unread > 0 ? [] : await writeCanaries(tools, slot, chance);
  return again.length < canaries.length ? "unreadable" : "absent";
}

type Result = Omit<ClearedDevice, keyof ReturnType<typeof memoryDeviceOf>>;

const failed = (said: string): Result => ({ cleared: false, canary: "none", said: clip(said, 1_000) });

/** The first clearing ends whatever the GPU was doing, and leads the window to memory; the second one is tested. */
async function clearGpu(tools: DeviceMemoryTools, slot: string, chance: RandomSource): Promise<Result> {
  const first = await tools.reset(slot, true);
  if (first.value === null) return failed(why(first));
  const canaries = await writeCanaries(tools, slot, chance);
  const second = await tools.reset(slot, true);
  const canary = await findCanaries(tools, slot, chance, canaries);
  return second.value === null
    ? { ...failed(why(second)), canary }
    : { cleared: true, canary, said: "the GPU reported its memory clear after a reset" };
}

async function clearDevice(
  tools: DeviceMemoryTools,
  { kind, slot, pciId }: Part,
  chance: RandomSource,
): Promise<Result> {
  if (!nvidia.test(pciId ?? "")) return failed("no program is known that clears a device of this vendor");
  if (kind === "gpu") return clearGpu(tools, slot, chance);
  const reset = await tools.reset(slot, false);
  return reset.value === true
    ? { cleared: true, canary: "none", said: "the switch was reset by its bus" }
    : failed(why(reset));
}

const outOfTime = "the time of the step was over before it was cleared";

/** The same tools, which start nothing any more once the time is over. */
function untilOver(tools: DeviceMemoryTools, isOver: () => boolean): DeviceMemoryTools {
  const inTime = <Value>(start: () => Promise<Answer<Value>>): Promise<Answer<Value>> =>
    isOver()
      ? Promise.resolve({ command: "clear_device_memory", exitCode: 1, status: outOfTime, value: null })
      : start();
  return {
    reset: (slot, clear) => inTime(() => tools.reset(slot, clear)),
    write: (slot, offset, word) => inTime(() => tools.write(slot, offset, word)),
    read: (slot, offset) => inTime(() => tools.read(slot, offset)),
  };
}

/** Time ended while this device was treated: what was found in it counts, and nothing else does. */
async function clearInTime(
  tools: DeviceMemoryTools,
  device: Part,
  chance: RandomSource,
  isOver: () => boolean,
): Promise<Result> {
  const found = await clearDevice(untilOver(tools, isOver), device, chance);
  // safety: agent: a device that was not looked at to its end
  if (isOver()) return { ...failed(outOfTime), canary: found.canary };
  return found;
}

/** What could not be cleared is no failure of the step: the gate judges each device, and the site's policy decides. */
export const clearDeviceMemory: Step = {
  interface: "deploy",
  step: "clear_device_memory",
  async run({ tools, chance, aborted, clock }) {
    const untilMs = clock.now().getTime() + clearingMs;
    const isOver = (): boolean => clock.now().getTime() >= untilMs;
    const listed = await tools.parts.pci();
    if (listed.value === null) return { result: "ERROR", message: why(listed), devices: [] };
    const found = listed.value.filter(holdsMemory).slice(0, maxMemoryDevices);
    const memory: ClearedDevice[] = [];
    for (const device of found) {
      if (aborted.aborted) return { result: "ERROR", message: "aborted", devices: [] };
      const result = await clearInTime(tools.deviceMemory, device, chance, isOver);
      memory.push({ ...memoryDeviceOf(device), ...result });
    }
    const good = memory.filter(({ cleared, canary }) => cleared && canary !== "present").length;
    return {
      result: "OK",
      message: `${good} of ${formatCounted(found.length, "device")} cleared`,
      devices: [],
      memory,
    };
  },
};
