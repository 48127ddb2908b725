// Prepares one device before a command is sent: status, choice of technique, markers and digests; or joins what an earlier attempt started.
import { isSpokenOn } from "@/server/domain/cleaning/sanitization/techniques";
import type { Technique } from "@/server/domain/cleaning/sanitization/techniques";
import { awaitErase, type EraseEnd } from "@/agent/steps/await-erase";
import type { DeviceProblem, PassedOver } from "@/server/domain/cleaning/sanitization/device-result";
import type { ErasableDevice, Outcome } from "@/agent/steps/erasable-device";
import { aboutToSend, earlierSend, firstDigests, type EarlierSend } from "@/agent/steps/journal";
import { clip } from "@/agent/steps/results";
import type { JournalEvent } from "@/agent/steps/results";
import type { StepContext } from "@/agent/steps/step";
import { unreadableArea, type Area } from "@/agent/verification/area";
import { writeCanaries } from "@/agent/verification/canaries";
import { sampledPlaces, takeDigests } from "@/agent/verification/digests";
import { markerPlaces, writeMarkers } from "@/agent/verification/markers";
import type { Evidence } from "@/agent/verification/verify";

/** Adds a mask of the canaries on the drive, which are not part of the verification; null: none were asked for. */
interface ProbedEvidence extends Evidence {
  readonly canaries: string | null;
}

interface Base {
  readonly device: ErasableDevice;
  readonly healthBefore: string | undefined;
}

/** Why nothing is sent to a device. */
interface Cannot {
  readonly problem: string;
  readonly what?: DeviceProblem;
  /** How long a device that hangs has made no progress. */
  readonly seconds?: number;
  readonly passedOver?: readonly PassedOver[];
}

/** A device whose erase was or will be announced, with what must be gone afterwards. */
export type PreparedErase = Base & {
  readonly kind: "erase";
  readonly areas: readonly Area[];
  readonly technique: Technique;
  /** What the policy allows after `technique`, in order. */
  readonly next: readonly Technique[];
  /** Techniques that the device does not offer, with the reason. */
  readonly refusals: readonly string[];
  readonly passedOver: readonly PassedOver[];
  readonly evidence: ProbedEvidence;
  readonly announcement: JournalEvent;
};

export type Prepared =
  | PreparedErase
  | (Base & {
      readonly kind: "join";
      readonly areas: readonly Area[];
      readonly earlier: EarlierSend;
      /** The erase was over before this attempt. */ readonly ended: boolean;
      readonly evidence: ProbedEvidence;
    })
  /** Its last sanitize failed or was not ended, so the next erase could not be verified. */
  | (Base & { readonly kind: "recover"; readonly areas: readonly Area[]; readonly from: Barred })
  | (Base & { readonly kind: "cannot" } & Cannot);

/** States in which a device refuses most commands until it is brought out. */
export type Barred = "failed" | "mediaVerification";

/** The state that a device must be brought out of; null: none. A device whose sanitize failed but that can be read can be erased as it is. */
export async function barred(
  context: StepContext,
  state: EraseEnd["state"],
  areas: readonly Area[],
): Promise<Barred | null> {
  if (state === "mediaVerification") return state;
  return state === "failed" && (await unreadableArea(context.tools.blocks, areas)) !== null ? state : null;
}

/** The policy's order for this medium, without techniques of other buses. */
function techniquesFor(context: StepContext, device: ErasableDevice): Technique[] {
  return context.command.erase.techniques[device.facts.media].filter((technique) =>
    isSpokenOn(technique, device.bus),
  );
}

const cannot = ({ problem, kind }: Extract<Outcome<unknown>, { readonly ok: false }>): Cannot =>
  kind === undefined ? { problem } : { problem, what: kind };

/** Whether the device refuses a technique of the policy only because it hides sectors; a person then has other options. */
function hides(device: ErasableDevice, wanted: readonly Technique[]): boolean {
  const area = device.hiddenArea?.() ?? null;
  return area !== null && wanted.some((technique) => device.refusal(technique)?.endsWith(area));
}

/** The first technique of the policy that the device offers, or why there is none. */
export function chooseTechnique(
  context: StepContext,
  device: ErasableDevice,
): Pick<PreparedErase, "technique" | "next" | "refusals" | "passedOver"> | Cannot {
  const wanted = techniquesFor(context, device);
  const offered = wanted.filter((technique) => device.refusal(technique) === null);
  const refusals = wanted.flatMap((technique) => device.refusal(technique) ?? []);
  const passedOver = wanted.flatMap((technique): PassedOver[] => {
    const why = device.refusal(technique);
    return why === null ? [] : [{ technique, why: clip(why.replace(`${technique}: `, "")) }];
  });
  const [technique, ...next] = offered;
  if (technique === undefined) {
    const reasons = refusals.join(", ") || "it names none for this bus";
    return {
      problem: `the device offers no technique of the policy: ${reasons}`,
      what: hides(device, wanted) ? "hidesSectors" : "noTechnique",
      passedOver,
    };
  }
  if (!context.command.erase.fallback && technique !== wanted[0])
    return {
      problem: `the policy allows no fallback: ${refusals.join(", ")}`,
      what: "noFallback",
      passedOver,
    };
  return { technique, next, refusals, passedOver };
}

/** Marks and samples the areas so that the erase can be verified afterwards, or returns why that is impossible. */
async function takeEvidence(
  context: StepContext,
  device: ErasableDevice,
  areas: readonly Area[],
): Promise<ProbedEvidence | Cannot> {
  const { blocks } = context.tools;
  // Every namespace must be verified afterwards; one that cannot be read now would be skipped then.
  const unreadable = await unreadableArea(blocks, areas);
  if (unreadable) {
    const { target } = unreadable;
    const what = target.kind === "nvme" ? `namespace ${target.namespace}` : "the drive";
    return { problem: `${what} cannot be read, so its erase could not be verified`, what: "unreadable" };
  }
  const { markersPerDevice: markers, samplesPerDevice: samples } = context.command.erase;
  const seed = Buffer.from(context.chance.bytes(24)).toString("base64url");
  const markersWritten = await writeMarkers(blocks, areas, seed, markers);
  const digests = await takeDigests(blocks, areas, seed, samples);
  if (markersWritten === 0 && digests.every((digest) => digest === ""))
    return {
      problem: "no block of it can be sampled or marked, so an erase could not be verified",
      what: "unreadable",
    };
  const first = firstDigests(context.command.journal, device.facts, areas);
  const taken = [
    ...markerPlaces(seed, areas, markers),
    ...sampledPlaces(seed, areas, samples, digests),
    ...(first === null ? [] : sampledPlaces(first.seed, areas, samples, first.digests)),
  ];
  // Written last, so that no sample is a canary.
  const canaries = await writeCanaries(blocks, device.facts, areas, context.command.fingerprint, taken);
  return { seed, digests, markers, markersWritten, samples, first, canaries };
}

/** Chooses technique and samples for a new erase of an idle device. */
export async function prepareErase(
  context: StepContext,
  device: ErasableDevice,
  areas: readonly Area[],
  healthBefore: string | undefined,
): Promise<Prepared> {
  const chosen = chooseTechnique(context, device);
  if ("problem" in chosen) return { kind: "cannot", device, healthBefore, ...chosen };
  const evidence = await takeEvidence(context, device, areas);
  if ("problem" in evidence) return { kind: "cannot", device, healthBefore, ...evidence };
  const announcement = aboutToSend(device.facts, chosen.technique, context.clock.now(), {
    ...evidence,
    areas,
  });
  return { kind: "erase", device, healthBefore, areas, ...chosen, evidence, announcement };
}

/** Reads the device's status first, and joins an erase that an earlier attempt announced. Never rejects because of the device. */
export async function prepareDevice(context: StepContext, device: ErasableDevice): Promise<Prepared> {
  const healthBefore = await device.health();
  const reachable = await device.prepare();
  if (!reachable.ok) return { kind: "cannot", device, healthBefore, ...cannot(reachable) };
  const areas = reachable.value;
  const status = await device.readStatus();
  if (!status.ok) return { kind: "cannot", device, healthBefore, ...cannot(status) };
  const { state, technique } = status.value;
  const earlier = earlierSend(context.command.journal, device.facts, areas);
  // While a device erases, no block of it can be read, whatever its controller answers for it.
  // safety: agent: idle is not the end of an announced erase while nothing can be read
  if (earlier !== null && state === "idle" && (await unreadableArea(context.tools.blocks, areas)) !== null)
    return {
      ...{ kind: "cannot", device, healthBefore, what: "hangs" },
      problem: `an erase of it was announced whose end nobody saw; it says "${status.value.text}", but cannot be read, so it may still be erasing`,
    };
  if (state !== "running") context.reporter.erases(device.facts.serial, 0);
  // An erase that is running ends from now on, whoever started it. One that is over may be from last year: markers written right before the announced
  // command that are all gone show an erase since then (docs/adr/0021-content-fingerprints.md). Without markers the device is erased once more.
  const runs =
    earlier !== null && state === "running" && (technique === earlier.technique || technique === null);
  const ended =
    earlier !== null &&
    (state === "completed" || state === "mediaVerification") &&
    technique === earlier.technique &&
    earlier.markersWritten > 0;
  // safety: agent: status before sending again
  if (earlier !== null && (runs || ended)) {
    const evidence = evidenceOf(context, device, areas, earlier);
    return { kind: "join", device, healthBefore, areas, earlier, ended, evidence };
  }
  // Records that it was looked at before anything else is sent.
  if (earlier !== null) noteObserved(context, device, earlier, status.value.text);
  let ends: EraseEnd["state"] = state === "running" ? "stuck" : state;
  if (state === "running") {
    const over = await awaitErase(context, device, { ran: true });
    ends = over.state;
    const problem = `an erase that this attempt did not begin hangs: ${over.text}`;
    const seconds = over.stuckSeconds === undefined ? {} : { seconds: over.stuckSeconds };
    if (over.state === "stuck")
      return { kind: "cannot", device, healthBefore, problem, what: "hangs", ...seconds };
  }
  const from = await barred(context, ends, areas);
  if (from !== null) return { kind: "recover", device, healthBefore, areas, from };
  return prepareErase(context, device, areas, healthBefore);
}

/** What an earlier attempt marked and sampled for the erase that it sent. */
function evidenceOf(
  context: StepContext,
  device: ErasableDevice,
  areas: readonly Area[],
  earlier: EarlierSend,
): ProbedEvidence {
  const { markersPerDevice: markers, samplesPerDevice: samples } = context.command.erase;
  const first = firstDigests(context.command.journal, device.facts, areas);
  return { ...earlier, markers, samples, first };
}

function noteObserved(
  context: StepContext,
  { facts: { serial, model } }: ErasableDevice,
  { technique }: EarlierSend,
  text: string,
): void {
  const status = clip(`${text}; not taken for this erase`);
  const at = context.clock.now().toISOString();
  context.reporter.note({ journal: [{ serial, model, event: "observed", technique, at, status }] });
}
