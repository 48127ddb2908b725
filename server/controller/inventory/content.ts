// What a reclamation knows of its drives' content: requested with each erase, kept, and compared in the final boot (docs/adr/0021-content-fingerprints.md).
import type { Cause, Causes } from "@/server/domain/cleaning/failures/cause";
import { driveOf, remnantCause } from "@/server/domain/cleaning/failures/of-device";
import { deviceKey } from "@/server/domain/hosts/inventory/inventory";
import { canariesWanted, countOf, probeOutcome } from "@/server/domain/cleaning/sanitization/probe";
import type { KeptProbe, ProbeOutcome, ProbeReading } from "@/server/domain/cleaning/sanitization/probe";
import type { DeviceResult } from "@/server/domain/cleaning/sanitization/device-result";
import { contentDifferences, withContent } from "@/server/domain/cleaning/sanitization/content";
import type {
  ContentReading,
  ContentRecord,
  FingerprintRequest,
} from "@/server/domain/cleaning/sanitization/content";
import type { JudgedDevice } from "@/server/domain/hosts/record/reclamation";
import type { Draft } from "@/server/controller/host/draft";

/** Why a host that is not in maintenance is checked or cleaned before it is allocated. */
export const touchedText = ({ view }: Draft): string => view.run.touchedReason ?? "maintenance ended";

/** For a new plan: nothing is known yet, and the secret given to an earlier plan's agents is no longer used. Two random ids are 244 bits. */
export const newContent = (draft: Draft): ContentRecord | null =>
  draft.fake ? null : { secret: `${draft.id()}${draft.id()}`, since: "erase", drives: [], read: null };

type Managers = readonly { readonly name: string; readonly version: string }[];

/** The first version of our own manager that writes canaries. An older one does not understand a command that asks for them. */
const firstProbeVersion = 5;

const mayProbe = (managers: Managers): boolean =>
  managers.some(({ name, version }) => name === "reclaim" && Number(version) >= firstProbeVersion);

const managersOf = ({ view }: Draft): Managers => view.agent?.hardwareManagers ?? [];

const requestOf = (draft: Draft, { secret }: ContentRecord, probed: boolean): FingerprintRequest => {
  const canaries = probed && mayProbe(managersOf(draft)) ? canariesWanted(draft.policy.sanitization) : 0;
  return {
    secret,
    samplesPerDevice: draft.policy.sanitization.erase.samplesPerDevice,
    ...(canaries === 0 ? {} : { canaries }),
  };
};

/** The first version of our own manager that takes fingerprints. An older one does not understand a command that asks for them. */
const firstVersion = 4;

/** Why the agent of this boot cannot read the drives as the final boot requires; null: it can. Looks for canaries only if they were written. */
export function withoutReading(draft: Draft): string | null {
  const content = draft.reclamation?.content ?? null;
  return content !== null && isProbed(content)
    ? withoutContent(draft)
    : withoutFingerprints(managersOf(draft));
}

/** Why the agent of this boot cannot erase as the policy requires; null: it can. */
export function withoutContent(draft: Draft): string | null {
  const managers = managersOf(draft);
  const old = withoutFingerprints(managers);
  if (old !== null) return old;
  // safety: content: no agent erases without the probe that the policy requires (false)
  const unable = draft.policy.sanitization.requireProbe && !mayProbe(managers);
  return unable
    ? `the agent has no remnant probe, but the policy requires it; roll out an agent image whose hardware manager reclaim has version ${firstProbeVersion} or later, then restart the plan`
    : null;
}

function withoutFingerprints(managers: Managers): string | null {
  const old = managers.find(({ name, version }) => name === "reclaim" && Number(version) < firstVersion);
  return old === undefined
    ? null
    : `the agent's hardware manager ${old.name} ${old.version} cannot record the content of a drive; roll out an agent image with version ${firstVersion} or later, then restart the plan`;
}

/** For the command of an erase. A manual cleaning proves nothing and requests none. */
export function wantedContent(draft: Draft): { readonly fingerprint?: FingerprintRequest } {
  const content = draft.reclamation?.content ?? null;
  return content === null ? {} : { fingerprint: requestOf(draft, content, true) };
}

const keptProbe = ({ probe, firmware, technique }: DeviceResult): KeptProbe | null =>
  probe === undefined || technique === undefined ? null : { ...probe, firmware: firmware ?? null, technique };

/** The newest result counts: the content of a drive is unknown if its last erase failed or was done by a BMC. */
export function keepContent(draft: Draft, devices: readonly JudgedDevice[]): void {
  let content = draft.reclamation?.content ?? null;
  if (content === null || devices.length === 0) return;
  for (const { serial, model, verdict, report } of devices)
    content = withContent(
      content,
      { serial, model },
      verdict === "sanitized" ? (report.fingerprint ?? null) : null,
      keptProbe(report),
    );
  draft.patchReclamation({ content });
}

/** What the final boot is asked to read again; null: there is nothing to compare with. */
export function contentToRead(draft: Draft): FingerprintRequest | null {
  const content = draft.reclamation?.content ?? null;
  return content === null || content.drives.length === 0
    ? null
    : requestOf(draft, content, isProbed(content));
}

/** Whether canaries were written before these erases. Content known since Ready was probed before that. */
const isProbed = ({ since, drives }: ContentRecord): boolean =>
  since === "erase" && drives.some(({ probe }) => probe !== undefined && countOf(probe.written) > 0);

/** Compares a reading with what is known and records that it is unchanged, or returns why the host cannot continue. */
export function compareContent(draft: Draft, readings: readonly ContentReading[]): Causes | null {
  const content = draft.reclamation?.content ?? null;
  if (content === null) return null;
  const differences = contentDifferences(content, readings);
  const changed: readonly Cause[] =
    differences.length === 0
      ? []
      : [{ key: "contentChanged", raw: `${differences.join("; ")}. Retry erases every drive again` }];
  const [first, ...others] = [
    ...probeCauses(draft, content, readings),
    ...neverRead(draft, content),
    ...changed,
  ];
  if (first !== undefined) {
    draft.patchReclamation({ content: { ...content, read: null } });
    return [first, ...others];
  }
  if (content.drives.length === 0) return null;
  draft.patchReclamation({
    content: { ...content, read: { epoch: draft.bootEpoch, at: new Date(draft.nowMs).toISOString() } },
  });
  return null;
}

/** Content known since Ready was probed before that. */
const mustBeProbed = ({ policy }: Draft, { since }: ContentRecord): boolean =>
  since === "erase" && policy.sanitization.requireProbe;

/** Sanitized drives whose content is unknown, because nobody ever read them. */
function neverRead(draft: Draft, content: ContentRecord): readonly Cause[] {
  const known = new Set(content.drives.map(deviceKey));
  // safety: content: a drive that nobody read was not probed (false)
  const must = mustBeProbed(draft, content);
  return draft.evidence.verdicts
    .filter((device) => must && device.verdict === "sanitized" && !known.has(deviceKey(device)))
    .map((device) => ({
      key: "notProbed",
      device: driveOf(device),
      raw: "it was erased by its BMC, which reads nothing back",
    }));
}

/** What the final boot found of the canaries. A drive that must be probed and was not read again cannot pass. */
function probeCauses(
  draft: Draft,
  content: ContentRecord,
  readings: readonly ContentReading[],
): readonly Cause[] {
  if (content.since !== "erase") return [];
  return content.drives.flatMap(({ serial, model, probe }): readonly Cause[] => {
    const device = driveOf({
      serial,
      model,
      ...(probe?.firmware == null ? {} : { firmware: probe.firmware }),
    });
    const later = readingOf(readings, { serial, model });
    const outcome = probe === undefined ? null : probeOutcome(probe, later);
    if (probe !== undefined && outcome !== null && countsNow(content, later, outcome))
      draft.evidence.addProbe({
        ...{ serial, model, firmware: probe.firmware, technique: probe.technique },
        ...outcome,
      });
    // safety: content: a remnant stops the host
    if (outcome !== null && outcome.remnants > 0)
      return [remnantCause(device, outcome, "found by the agent of the final boot")];
    const unprobed = whyNotProbed(outcome, later);
    // safety: content: a probe that the policy requires is read again
    if (mustBeProbed(draft, content) && unprobed !== null)
      return [{ key: "notProbed", device, raw: unprobed }];
    return [];
  });
}

/** Without remnants, only the first reading counts: failed tests are repeated without an erase. If no place was read there is nothing to count. */
const countsNow = (
  { read }: ContentRecord,
  later: ProbeReading | null,
  { places, remnants }: ProbeOutcome,
): boolean => places > 0 && (remnants > 0 || (later !== null && read === null));

function whyNotProbed(outcome: ProbeOutcome | null, later: ProbeReading | null): string | null {
  if (outcome === null || later === null) return "the final boot did not read it again";
  // safety: content: a probe of which no place was read
  if (outcome.places === 0) return "none of its canaries could be read after the erase";
  return null;
}

/** For a state's reason: what the final boot read of the probe. Empty: nothing was probed. */
export function probeRead({ evidence: { probes } }: Draft): string {
  const places = probes.reduce((sum, probe) => sum + probe.places, 0);
  return probes.length === 0 ? "" : `; 0 of ${places} canaries are left`;
}

function readingOf(
  readings: readonly ContentReading[],
  drive: { readonly serial: string; readonly model: string },
): ProbeReading | null {
  const found = readings.find((reading) => deviceKey(reading) === deviceKey(drive));
  return found !== undefined && "probe" in found ? (found.probe ?? null) : null;
}
