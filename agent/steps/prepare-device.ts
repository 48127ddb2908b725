// Everything on one device before a command is sent: status, choice of technique, markers and digests; or joining what an earlier attempt began.
import type { Technique } from "@/server/domain/sanitization/techniques";
import { awaitErase } from "@/agent/steps/await-erase";
import type { ErasableDevice } from "@/agent/steps/erasable-device";
import { aboutToSend, earlierSend, firstDigests, type EarlierSend } from "@/agent/steps/journal";
import { clip } from "@/agent/steps/results";
import type { JournalEvent } from "@/agent/steps/results";
import type { StepContext } from "@/agent/steps/step";
import { unreadableArea, type Area } from "@/agent/verification/area";
import { takeDigests } from "@/agent/verification/digests";
import { writeMarkers } from "@/agent/verification/markers";
import type { Evidence } from "@/agent/verification/verify";

interface Base {
  readonly device: ErasableDevice;
  readonly healthBefore: string | undefined;
}

/** A device whose erase has been announced, or is to be announced, with what must be gone afterwards. */
export type PreparedErase = Base & {
  readonly kind: "erase";
  readonly areas: readonly Area[];
  readonly technique: Technique;
  /** What the policy allows after `technique`, in order. */
  readonly next: readonly Technique[];
  /** Techniques that the device does not offer, with its reason. */
  readonly refusals: readonly string[];
  readonly evidence: Evidence;
  readonly announcement: JournalEvent;
};

export type Prepared =
  | PreparedErase
  | (Base & {
      readonly kind: "join";
      readonly areas: readonly Area[];
      readonly earlier: EarlierSend;
      /** It was over when this attempt came. */ readonly ended: boolean;
      readonly evidence: Evidence;
    })
  | (Base & { readonly kind: "cannot"; readonly problem: string });

/** The policy's order for this medium, without what is spoken on another bus. */
function techniquesFor(context: StepContext, device: ErasableDevice): Technique[] {
  const mine = (technique: Technique) =>
    technique === "overwrite"
      ? device.bus === "ata" || device.bus === "scsi"
      : technique.startsWith(`${device.bus}-`);
  return context.command.erase.techniques[device.facts.media].filter(mine);
}

/** Chooses technique and samples for a new erase of a device that is at rest. */
export async function prepareErase(
  context: StepContext,
  device: ErasableDevice,
  areas: readonly Area[],
  healthBefore: string | undefined,
): Promise<Prepared> {
  const policy = context.command.erase;
  const wanted = techniquesFor(context, device);
  const offered = wanted.filter((technique) => device.refusal(technique) === null);
  const refusals = wanted.flatMap((technique) => device.refusal(technique) ?? []);
  const [technique, ...next] = offered;
  if (technique === undefined)
    return {
      kind: "cannot",
      device,
      healthBefore,
      problem: `the device offers no technique of the policy: ${refusals.join(", ") || "it names none for this bus"}`,
    };
  if (!policy.fallback && technique !== wanted[0]) {
    return {
      kind: "cannot",
      device,
      healthBefore,
      problem: `the policy allows no fallback: ${refusals.join(", ")}`,
    };
  }
  // Every namespace must be verified afterwards; one that cannot be read now would be passed over then.
  const unreadable = await unreadableArea(context.tools.blocks, areas);
  if (unreadable) {
    const { target } = unreadable;
    return {
      kind: "cannot",
      device,
      healthBefore,
      problem: `${target.kind === "nvme" ? `namespace ${target.namespace}` : "the drive"} cannot be read, so its erase could not be verified`,
    };
  }
  const seed = Buffer.from(context.chance.bytes(24)).toString("base64url");
  const markersWritten = await writeMarkers(context.tools.blocks, areas, seed, policy.markersPerDevice);
  const digests = await takeDigests(context.tools.blocks, areas, seed, policy.samplesPerDevice);
  const evidence = {
    seed,
    digests,
    markers: policy.markersPerDevice,
    markersWritten,
    samples: policy.samplesPerDevice,
    first: firstDigests(context.command.journal, device.facts, areas),
  };
  if (markersWritten === 0 && digests.every((digest) => digest === "")) {
    return {
      kind: "cannot",
      device,
      healthBefore,
      problem: "no block of it can be sampled or marked, so an erase could not be verified",
    };
  }
  return {
    kind: "erase",
    device,
    healthBefore,
    areas,
    technique,
    next,
    refusals,
    evidence,
    announcement: aboutToSend(device.facts, technique, context.clock.now(), { ...evidence, areas }),
  };
}

/** Reads the device's status before anything else, and joins an erase that an earlier attempt announced. Never rejects for a fault of the device. */
export async function prepareDevice(context: StepContext, device: ErasableDevice): Promise<Prepared> {
  const healthBefore = await device.health();
  const reachable = await device.prepare();
  if (!reachable.ok) return { kind: "cannot", device, healthBefore, problem: reachable.problem };
  const areas = reachable.value;
  const status = await device.readStatus();
  if (!status.ok) return { kind: "cannot", device, healthBefore, problem: status.problem };
  if (status.value.state !== "running") context.reporter.erases(device.facts.serial, 0);

  const earlier = earlierSend(context.command.journal, device.facts, areas);
  const { state, technique } = status.value;
  // One that runs ends from now on, whoever began it. One that is over may be of last year: markers that were written right before the announced
  // command, and are all gone, show that something was erased since (docs/adr/0021-content-fingerprints.md). Without them it is erased once more.
  const runs =
    earlier !== null && state === "running" && (technique === earlier.technique || technique === null);
  const ended =
    earlier !== null &&
    state === "completed" &&
    technique === earlier.technique &&
    /* safety: agent: an erase that is over is not taken for ours without its markers */ earlier.markersWritten >
      0;
  // safety: agent: status before sending again
  if (earlier !== null && (runs || ended)) {
    const { markersPerDevice: markers, samplesPerDevice: samples } = context.command.erase;
    return {
      kind: "join",
      device,
      healthBefore,
      areas,
      earlier,
      ended,
      evidence: {
        ...earlier,
        markers,
        samples,
        first: firstDigests(context.command.journal, device.facts, areas),
      },
    };
  }
  // That it was looked at is on record before anything else is sent.
  if (earlier !== null) {
    const { serial, model } = device.facts;
    context.reporter.note({
      journal: [
        {
          serial,
          model,
          event: "observed",
          technique: earlier.technique,
          at: context.clock.now().toISOString(),
          status: clip(`${status.value.text}; not taken for this erase`),
        },
      ],
    });
  }
  if (state === "running") {
    const over = await awaitErase(context, device);
    if (over.state === "stuck")
      return {
        kind: "cannot",
        device,
        healthBefore,
        problem: `an erase that this attempt did not begin hangs: ${over.text}`,
      };
  }
  return prepareErase(context, device, areas, healthBefore);
}
