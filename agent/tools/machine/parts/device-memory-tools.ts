// NVIDIA's gpu-admin-tools: resets a device by its bus, waits until a GPU has cleared its memory, reads and writes words of BAR1
// (docs/adr/0144-device-memory.md; https://github.com/NVIDIA/gpu-admin-tools, `cli/per_device.py` and `cli/per_gpu.py`).
import { doneOf, given, refused } from "@/agent/tools/machine/program/answers";
import { programs } from "@/agent/tools/machine/program/paths";
import { commandText, type Ran, type RunTool } from "@/agent/tools/machine/program/run-tool";
import type { Answer, DeviceMemoryTools } from "@/agent/tools/tools";

const slotName = /^[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$/;
/** The program maps this much of BAR1. */
const windowBytes = 1024 * 1024;

const hex = (value: number): string => `0x${value.toString(16)}`;

/** The program's first line. It logs to stderr; what it could not do, it logs as an error, and often exits with 0. */
const began = /^NVIDIA GPU Tools version /m;

/** `2026-01-01,12:00:00.000 INFO     Selected GPU 0000:17:00.0 …`: it worked on this device and no other. */
const selected = ({ stderr }: Ran, slot: string): boolean => {
  const all = [...stderr.matchAll(/ INFO +Selected (.{0,200})$/gm)].map(([, device = ""]) => device);
  return all.length === 1 && all[0]?.includes(slot) === true;
};

/** Warnings, errors and what is worse. */
const troubles = / (?:WARNING|ERROR|CRITICAL) +(.{0,300})$/gm;

/**
 * What it warns of for each device whose power Linux manages (`power/control` is `auto`), before and after its work; such a device is fully on in between
 * (`NvidiaDevice.__init__` in nvidia_gpu_tools.py). A device that did not come on is warned of once more, in other words.
 */
const ofPower = [
  /^.{1,200} was in D[0-3]\/control:auto, forced power control to on\. New state D0$/,
  /^.{1,200} restoring power control to auto$/,
] as const;

const problemIn = ({ stderr }: Ran): string | undefined =>
  [...stderr.matchAll(troubles)]
    .map(([, said = ""]) => said)
    .find((said) => !ofPower.some((words) => words.test(said)));

function worked(ran: Ran, slot: string): Answer<true> {
  const problem = ran.exitCode === 0 ? problemIn(ran) : undefined;
  // safety: agent: what NVIDIA's program could not do
  if (problem !== undefined) return refused(ran.command, problem, 0);
  const done = doneOf(ran, began);
  if (done.value === null) return done;
  return selected(ran, slot)
    ? given(ran.command, true)
    : refused(ran.command, "it selected another device", 0);
}

/** `… INFO     BAR1 read 0x0 = 0xcafe` */
function wordIn({ command, stderr }: Ran, offset: number): Answer<number> {
  const said = [...stderr.matchAll(/ INFO +BAR1 read 0x([0-9a-f]{1,8}) = 0x([0-9a-f]{1,8})$/gm)];
  const [[, at = "", word = ""] = []] = said;
  return said.length === 1 && Number.parseInt(at, 16) === offset
    ? given(command, Number.parseInt(word, 16))
    : refused(command, "not understood", 0);
}

/** A GPU's reset and the clearing of its memory take seconds, and the program lists all devices first. */
const limitMs = 180_000;

export function deviceMemoryTools(run: RunTool): DeviceMemoryTools {
  const ask = async <Value>(
    slot: string,
    more: readonly string[],
    answer: (ran: Ran) => Answer<Value>,
  ): Promise<Answer<Value>> => {
    const args = ["--devices", slot, ...more];
    if (!slotName.test(slot))
      return refused(commandText(programs.nvidiaGpuTools, args), "not a PCI address", 2);
    const ran = await run(programs.nvidiaGpuTools, args, { limitMs });
    const done = worked(ran, slot);
    return done.value === null ? { ...done, value: null } : answer(ran);
  };
  const at = async <Value>(offset: number, then: () => Promise<Answer<Value>>): Promise<Answer<Value>> =>
    Number.isInteger(offset) && offset >= 0 && offset % 4 === 0 && offset < windowBytes
      ? then()
      : refused(programs.nvidiaGpuTools, "not an offset of a word in the window", 2);
  return {
    reset: (slot, clear) =>
      ask(slot, ["--sysfs-unbind", "--reset-with-sbr", ...(clear ? ["--clear-memory"] : [])], ({ command }) =>
        given<true>(command, true),
      ),
    write: (slot, offset, word) =>
      at(offset, () =>
        ask(slot, ["--write-bar1", hex(offset), hex(word)], ({ command }) => given<true>(command, true)),
      ),
    read: (slot, offset) =>
      at(offset, () => ask(slot, ["--read-bar1", hex(offset)], (ran) => wordIn(ran, offset))),
  };
}
