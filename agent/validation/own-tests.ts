// The agent's own tests, which a site may request by name.
import { formatCounted } from "@/server/domain/numbers";
import { findAllDevices } from "@/agent/steps/erase-all/all-devices";
import type { Verdict } from "@/agent/validation/verdict";
import type { Surroundings } from "@/agent/surroundings";
import { noSelfTest, type Answer, type Tools } from "@/agent/tools/tools";
import { readPositions } from "@/agent/verification/area";
import { numbersFrom } from "@/agent/verification/stream";

export type Around = Pick<Surroundings, "tools" | "clock" | "chance">;

const stressSeconds = 30;
const blocksPerArea = 16;

const verdictOf = (answer: Answer<unknown>): Verdict => ({
  passed: answer.value !== null,
  message: `${answer.command} answered ${answer.exitCode}${answer.status ? `: ${answer.status}` : ""}`,
});

/** Random blocks of every device can be read directly. */
export async function storageRead({ tools, chance }: Around): Promise<Verdict> {
  const found = await findAllDevices(tools);
  if (!found.ok) return { passed: false, message: found.problem };
  const number = numbersFrom(Buffer.from(chance.bytes(16)).toString("hex"), "storage-read");
  const bad: string[] = [];
  let read = 0;
  const devices = found.value;
  for (const device of devices) {
    const reachable = await device.areas();
    if (!reachable.ok) {
      bad.push(`${device.facts.serial}: ${reachable.problem}`);
      continue;
    }
    const positions = reachable.value.flatMap(({ blocks }, area) =>
      Array.from({ length: blocksPerArea }, () => ({ area, block: number(blocks) })),
    );
    const contents = await readPositions(tools.blocks, reachable.value, positions);
    const unreadable = contents.filter((content) => content === null).length;
    read += contents.length - unreadable;
    if (unreadable > 0 || contents.length === 0)
      bad.push(`${device.facts.serial}: ${unreadable} of ${contents.length} blocks cannot be read`);
  }
  return {
    passed: bad.length === 0,
    message:
      bad.length === 0
        ? `${formatCounted(read, "block")} of ${formatCounted(devices.length, "device")} read`
        : bad.join("; "),
  };
}

/** A test that did not run has not passed. */
const leaveOut =
  "Nothing was tested: leave network-loopback out of the site's validation tests, or use a card whose driver has a self test";

/** Every card with a carrier passes its own test, and there is at least one. */
export async function networkLoopback(tools: Tools): Promise<Verdict> {
  const nics = await tools.system.nics();
  if (nics.value === null) return verdictOf(nics);
  const up = nics.value.filter((nic) => nic.up);
  for (const { name } of up) {
    const answer = await tools.system.testNic(name);
    if (answer.value !== true) {
      const { passed, message } = verdictOf(answer);
      return { passed, message: `${name}: ${message}${answer.status === noSelfTest ? `. ${leaveOut}` : ""}` };
    }
  }
  return {
    passed: up.length > 0,
    message: `${up.length} of ${nics.value.length} interfaces have a carrier${up.length > 0 ? ", and pass their own test" : ""}`,
  };
}

/** By name. */
export const ownTests: ReadonlyMap<string, (around: Around) => Promise<Verdict>> = new Map([
  ["cpu-stress", async ({ tools }) => verdictOf(await tools.system.stress("cpu", stressSeconds, 1))],
  ["memory-pattern", async ({ tools }) => verdictOf(await tools.system.stress("memory", stressSeconds, 0.9))],
  ["storage-read", storageRead],
  ["network-loopback", ({ tools }) => networkLoopback(tools)],
]);
