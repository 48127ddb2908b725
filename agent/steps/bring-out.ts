// A drive whose last sanitize failed refuses to be read until it is brought out of that: by Exit Failure Mode, or by a sanitize that succeeds (NVMe Base Specification 2.1, 8.1.24; ACS-4, SD3; SBC-4, 31h/03h).
import type { DeviceProblem } from "@/server/domain/sanitization/device-result";
import { techniquesOfBus, type Technique } from "@/server/domain/sanitization/techniques";
import type { EraseEnd } from "@/agent/steps/await-erase";
import { aboutToSend } from "@/agent/steps/journal";
import { chooseTechnique, type Prepared } from "@/agent/steps/prepare-device";
import { clip, type DeviceTry } from "@/agent/steps/results";
import type { StepContext } from "@/agent/steps/step";
import { mayBegin, stillInKernel, tryTechnique } from "@/agent/steps/try-technique";
import { unreadableArea } from "@/agent/verification/area";

export interface BroughtOut {
  readonly tries: readonly DeviceTry[];
  readonly stuck: EraseEnd | null;
  /** Why it was not; null: its blocks can be read again. */
  readonly problem: string | null;
  readonly what?: DeviceProblem;
}

type Recover = Extract<Prepared, { kind: "recover" }>;

const isSanitize = (technique: Technique): boolean => technique.includes("-sanitize-");
const failed = "its last sanitize failed";

/** The answer of Exit Failure Mode goes into the journal: it is no erase. */
async function leaves(
  context: StepContext,
  { device, areas }: Recover,
  technique: Technique,
): Promise<EraseEnd | boolean> {
  const answer = (await device.leaveFailure?.()) ?? null;
  if (answer === null) return false;
  const { serial, model } = device.facts;
  const status = clip(`${answer.command} answered ${answer.exitCode}: ${answer.status}; no erase`);
  const at = context.clock.now().toISOString();
  context.reporter.note({ journal: [{ serial, model, event: "observed", technique, at, status }] });
  const unknown = stillInKernel(answer);
  if (unknown !== null) return { ...unknown, text: `${status}; ${unknown.text}` };
  return answer.value === true && (await unreadableArea(context.tools.blocks, areas)) === null;
}

/** Sanitizes of the policy in its order; where it has none, those that the device offers: nothing rests on this one. */
function candidates({ device }: Recover, wanted: readonly Technique[]): readonly Technique[] {
  const own = wanted.filter(isSanitize);
  const offered = techniquesOfBus(device.bus).filter(
    (technique) => isSanitize(technique) && device.refusal(technique) === null,
  );
  return own.length > 0 ? own : offered;
}

/** Nothing of what it sends counts as an erase: the caller erases the drive afterwards, and verifies that. */
export async function bringOut(context: StepContext, prepared: Recover): Promise<BroughtOut> {
  const { device, areas } = prepared;
  const chosen = chooseTechnique(context, device);
  const tries: DeviceTry[] = [];
  const over = (problem: string | null): BroughtOut => ({ tries, stuck: null, problem });
  if ("problem" in chosen) {
    const { problem, what } = chosen;
    return { ...over(`${failed}, and ${problem}`), ...(what === undefined ? {} : { what }) };
  }
  const wanted = candidates(prepared, [chosen.technique, ...chosen.next]);
  const left = await leaves(context, prepared, wanted[0] ?? chosen.technique);
  if (left === true) return over(null);
  if (left !== false) return { tries, stuck: left, problem: left.text };
  const seed = Buffer.from(context.chance.bytes(24)).toString("base64url");
  for (const technique of context.command.erase.fallback ? wanted : wanted.slice(0, 1)) {
    if (context.aborted.aborted) return over(`${failed}; stopped before it was brought out of that`);
    // Without digests or markers: whoever finds it running waits for its end, and takes it for no erase of ours.
    const announcement = aboutToSend(device.facts, technique, context.clock.now(), {
      seed,
      markersWritten: 0,
      areas,
    });
    // safety: agent: nothing brings a drive out before the server knows
    if (!(await mayBegin(context, { device, technique, announcement })))
      return over(`${failed}; stopped before it was brought out of that`);
    const { entry, stuck } = await tryTechnique(context, device, technique);
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
