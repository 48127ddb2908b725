// What a reclamation knows of its drives' content: asked for when they are erased, kept, and compared in the final boot (docs/adr/0021-content-fingerprints.md).
import { contentDifferences, withContent } from "@/server/domain/sanitization/content";
import type { ContentReading, ContentRecord, FingerprintRequest } from "@/server/domain/sanitization/content";
import type { DeviceVerdict } from "@/server/domain/sanitization/judge";
import type { Draft } from "@/server/controller/host/draft";

/** Why a host that is not in maintenance is checked, or cleaned, before it is allocated. */
export const touchedWords = ({ view }: Draft): string => view.run.touchedReason ?? "maintenance ended";

/** For a new plan: nothing is known yet, and what an earlier plan's agents were told is worth nothing any more. Two random ids are 244 bits. */
export const newContent = (draft: Draft): ContentRecord | null =>
  draft.fake ? null : { secret: `${draft.id()}${draft.id()}`, since: "erase", drives: [], read: null };

const requestOf = (draft: Draft, { secret }: ContentRecord): FingerprintRequest => ({
  secret,
  samplesPerDevice: draft.policy.sanitization.erase.samplesPerDevice,
});

/** The manager of our own agent that first took fingerprints. An older one does not understand a command that asks for them. */
const firstVersion = 4;

/** Why an agent with these hardware managers cannot do it; null: it can. */
export function withoutFingerprints(
  managers: readonly { readonly name: string; readonly version: string }[],
): string | null {
  const old = managers.find(({ name, version }) => name === "reclaim" && Number(version) < firstVersion);
  return old === undefined
    ? null
    : `the agent's hardware manager ${old.name} ${old.version} cannot tell what is on a drive; roll out an agent image with version ${firstVersion} or later, then restart the plan`;
}

/** For the command of an erase. A cleaning by hand proves nothing, and asks for none. */
export function wantedContent(draft: Draft): { readonly fingerprint?: FingerprintRequest } {
  const content = draft.reclamation?.content ?? null;
  return content === null ? {} : { fingerprint: requestOf(draft, content) };
}

/** The newest word on a drive counts: what is on one whose last erase failed, or that a BMC erased, is not known. */
export function keepContent(draft: Draft, devices: readonly DeviceVerdict[]): void {
  let content = draft.reclamation?.content ?? null;
  if (content === null || devices.length === 0) return;
  for (const { serial, model, verdict, report } of devices)
    content = withContent(
      content,
      { serial, model },
      verdict === "sanitized" ? (report.fingerprint ?? null) : null,
    );
  draft.patchReclamation({ content });
}

/** What the final boot is asked to read again; null: nothing is known that it could be compared with. */
export function contentToRead(draft: Draft): FingerprintRequest | null {
  const content = draft.reclamation?.content ?? null;
  return content === null || content.drives.length === 0 ? null : requestOf(draft, content);
}

/** Holds a reading against what is known, and notes that it was found unchanged; else why the host cannot go on. */
export function compareContent(draft: Draft, readings: readonly ContentReading[]): string | null {
  const content = draft.reclamation?.content ?? null;
  if (content === null || content.drives.length === 0) return null;
  const differences = contentDifferences(content, readings);
  if (differences.length > 0) {
    draft.patchReclamation({ content: { ...content, read: null } });
    return `${differences.join("; ")}. Retry erases every drive again`;
  }
  draft.patchReclamation({
    content: { ...content, read: { epoch: draft.bootEpoch, at: new Date(draft.nowMs).toISOString() } },
  });
  return null;
}
