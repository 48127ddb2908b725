// A drive whose last sanitize failed cannot be read until it is brought out of that state: by Exit Failure Mode, or by a sanitize that succeeds
// (NVMe Base Specification 2.1, 8.1.24; ACS-4, SD3; SBC-4, 31h/03h). One that was left in the media verification state cannot be written.
import type { DeviceProblem } from "@/server/domain/cleaning/sanitization/device-result";
import { techniquesOfBus, type Technique } from "@/server/domain/cleaning/sanitization/techniques";
import { stillInKernel, type EraseEnd } from "@/agent/steps/await-erase";
import { aboutToSend } from "@/agent/steps/journal";
import { chooseTechnique, type Prepared } from "@/agent/steps/prepare-device";
import { leaveMediaVerification } from "@/agent/steps/media-verification";
import { clip, type DeviceTry } from "@/agent/steps/results";
import type { StepContext } from "@/agent/steps/step";
import { mayBegin, tryTechnique } from "@/agent/steps/try-technique";
import { unreadableArea } from "@/agent/verification/area";

export interface BroughtOut {
  readonly tries: readonly DeviceTry[];
  readonly stuck: EraseEnd | null;
  /** Why it could not be brought out; null: its blocks can be read again. */
  readonly problem: string | null;
  readonly what?: DeviceProblem;
}

type Recover = Extract<Prepared, { kind: "recover" }>;

const isSanitize = (technique: Technique): boolean => technique.includes("-sanitize-");
const states = {
  failed: "its last sanitize failed",
  mediaVerification: "it is in the media verification state",
} satisfies Record<Recover["from"], string>;

/** The journal records the answer of Exit Failure Mode or Exit Media Verification State, which is not an erase. */
async function leaves(
  context: StepContext,
  { device, areas, from }: Recover,
  technique: Technique,
): Promise<EraseEnd | boolean> {
  if (from === "mediaVerification") {
    const end = await leaveMediaVerification(context, device);
    noteExit(context, device, technique, end.text);
    if (end.state === "stuck") return end;
    return (end.state === "completed" || end.state === "idle") && readable(context, areas);
  }
  const answer = (await device.leaveFailure?.()) ?? null;
  if (answer === null) return false;
  const status = `${answer.command} answered ${answer.exitCode}: ${answer.status}`;
  noteExit(context, device, technique, status);
  const unknown = stillInKernel(answer);
  if (unknown !== null) return { ...unknown, text: `${status}; no erase; ${unknown.text}` };
  return answer.value === true && readable(context, areas);
}

/** The exit makes the drive deallocate, which takes a while. The journal gets its answer but no announcement, because it is not an erase to join. */
async function mayExit({ reporter }: StepContext, { device }: Recover): Promise<boolean> {
  reporter.erases(device.facts.serial, null);
  const { goOn } = await reporter.acknowledge();
  if (!goOn) reporter.erases(device.facts.serial, 0);
  return goOn;
}

const readable = async (context: StepContext, areas: Recover["areas"]): Promise<boolean> =>
  (await unreadableArea(context.tools.blocks, areas)) === null;

function noteExit(
  { clock, reporter }: StepContext,
  { facts: { serial, model } }: Recover["device"],
  technique: Technique,
  said: string,
): void {
  const status = clip(`${said}; no erase`);
  const at = clock.now().toISOString();
  reporter.note({ journal: [{ serial, model, event: "observed", technique, at, status }] });
}

/** The policy's sanitizes in order or, if it has none, those that the device offers: nothing relies on this one. */
function candidates({ device }: Recover, wanted: readonly Technique[]): readonly Technique[] {
  const own = wanted.filter(isSanitize);
  const offered = techniquesOfBus(device.bus).filter(
    (technique) => isSanitize(technique) && device.refusal(technique) === null,
  );
  return own.length > 0 ? own : offered;
}

/** Nothing sent here counts as an erase: the caller erases the drive afterwards and verifies that. */
export async function bringOut(context: StepContext, prepared: Recover): Promise<BroughtOut> {
  const { device, areas, from } = prepared;
  const failed = states[from];
  const chosen = chooseTechnique(context, device);
  const tries: DeviceTry[] = [];
  const over = (problem: string | null): BroughtOut => ({ tries, stuck: null, problem });
  if ("problem" in chosen) {
    const { problem, what } = chosen;
    return { ...over(`${failed}, and ${problem}`), ...(what === undefined ? {} : { what }) };
  }
  const wanted = candidates(prepared, [chosen.technique, ...chosen.next]);
  const stopped = `${failed}; stopped before it was brought out of that`;
  // safety: agent: nothing ends media verification before the server knows
  if (from === "mediaVerification" && !(await mayExit(context, prepared))) return over(stopped);
  const left = await leaves(context, prepared, wanted[0] ?? chosen.technique);
  if (left === true) return over(null);
  if (left !== false) return { tries, stuck: left, problem: left.text };
  const seed = Buffer.from(context.chance.bytes(24)).toString("base64url");
  for (const technique of context.command.erase.fallback ? wanted : wanted.slice(0, 1)) {
    if (context.aborted.aborted) return over(stopped);
    // Without digests or markers: a later attempt that finds it running waits for its end and does not take it for our erase.
    const announcement = aboutToSend(device.facts, technique, context.clock.now(), {
      seed,
      markersWritten: 0,
      areas,
    });
    // safety: agent: nothing brings a drive out before the server knows
    if (!(await mayBegin(context, { device, technique, announcement }))) return over(stopped);
    const { entry, stuck } = await tryTechnique(context, device, technique, {
      hold: null,
      agrees: () => readable(context, areas),
    });
    tries.push(entry);
    if (stuck !== null) return { tries, stuck: { ...stuck, text: entry.status }, problem: entry.status };
    if (entry.completed) return over(null);
  }
  const answers = tries.map(
    ({ technique, exitCode, status }) => `${technique} answered ${exitCode}: ${status}`,
  );
  const none = wanted.length === 0 ? ["it offers no sanitize that could"] : answers;
  return over([`${failed}, and it could not be brought out of that`, ...none].join("; "));
}
