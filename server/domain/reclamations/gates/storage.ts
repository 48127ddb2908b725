// The gate `storageSanitized`: every known storage device has a verified result, and its content in the final boot is what it was after its erase.
import type { DisabledStep } from "@/server/domain/cleaning/plan/plan";
import {
  bootEpochOf,
  disabled,
  disabledFor,
  mustBeCleaned,
  rechecked,
  satisfied,
  skipped,
  unsatisfied,
} from "@/server/domain/reclamations/gates/gate-rule";
import type {
  DriveContents,
  Evaluated,
  GateEvidenceInput,
} from "@/server/domain/reclamations/gates/gate-rule";
import type { DeviceVerdict } from "@/server/domain/hosts/record/reclamation";
import { deviceKey } from "@/server/domain/hosts/inventory/inventory";
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import type { AnsweredDevice } from "@/server/domain/cleaning/sanitization/dispositions";
import type { KnownDevice } from "@/server/domain/cleaning/sanitization/known-devices";
import { formatAnswer } from "@/server/domain/cleaning/sanitization/dispositions";

/** Drives that dispositions removed from the expected ones. */
const answersOf = ({ devices }: GateEvidenceInput): readonly AnsweredDevice[] => devices.answered ?? [];

/**
 * An empty list proves nothing if the SKU has drives. If the SKU has none, two inventories that found none are proof: the list was frozen from
 * both, and the inventory after cleaning was compared with the SKU and with the list.
 */
function withoutStorage(input: GateEvidenceInput, answers: readonly string[]): Evaluated {
  const evidence = answersOf(input).length === 0 ? {} : { answered: answersOf(input) };
  // safety: gates: an empty list of drives proves nothing
  if (input.skuHasStorage)
    return unsatisfied(
      "no storage device is known, but the SKU has storage: an empty list proves nothing",
      evidence,
    );
  // safety: gates: an agent that lists block devices only
  if (input.guest)
    return unsatisfied(
      "no storage device is known, and Ironic's agent lists block devices only: an empty list proves nothing",
      evidence,
    );
  const { sku } = input.proven;
  if (!input.planMade || sku === null)
    return unsatisfied("the SKU has no storage, and no inventory was taken after cleaning", evidence);
  if (sku.storage !== null) return unsatisfied(`storage after cleaning differs: ${sku.storage}`, evidence);
  return satisfied(["the SKU has no storage, and no inventory found any", ...answers].join("; "), evidence);
}

/** No step erases USB media, so the message says what to do about one. */
const noResult = (device: StorageDevice): string =>
  device.transport === "usb"
    ? "no step erases a USB medium; remove it, or exclude it in the site's policy (sanitization.excludedMedia)"
    : "no result";

type Verdicts = ReadonlyMap<string, DeviceVerdict>;

const verdictsOf = (input: GateEvidenceInput): Verdicts =>
  new Map(input.deviceVerdicts.map((verdict) => [deviceKey(verdict), verdict]));

/** A debt of a drive that was elsewhere is owed whatever these drives contain. */
function recheckedStorage(input: GateEvidenceInput, answers: readonly string[]): Evaluated {
  const evidence = {
    content: contentEvidence(input),
    ...(answersOf(input).length === 0 ? {} : { answered: answersOf(input) }),
  };
  if (input.debts > 0) return unsatisfied("the host owes a sanitization; restart the plan", evidence);
  const storage = input.proven.sku?.storage;
  if (input.proven.sku === null) return unsatisfied("no inventory was taken", evidence);
  if (storage !== null && storage !== undefined)
    return unsatisfied(`its drives are not the ones it was Ready with: ${storage}`, evidence);
  const verdicts = verdictsOf(input);
  const refuted = input.devices.expected.find(
    (device) => verdicts.get(deviceKey(device))?.verdict === "failed",
  );
  // An erase that counted when the host became Ready may turn out not to have been one.
  // safety: recheck: a drive whose erase counts no more
  if (refuted !== undefined)
    return unsatisfied(
      `drive ${refuted.serial}: ${verdicts.get(deviceKey(refuted))?.reason ?? "its erase failed"}: restart the plan`,
      evidence,
    );
  const hidden = incomparable(input.devices.expected, input.content);
  // safety: recheck: a drive that only the BMC reaches is not compared
  if (hidden !== undefined)
    return unsatisfied(
      `the content of drive ${hidden.serial} cannot be compared with its recorded content: restart the plan`,
      evidence,
    );
  const unproven = contentUnproven(input, input.devices.expected);
  if (unproven !== null) return unsatisfied(unproven, evidence);
  return satisfied(
    [`unchanged since the host was last Ready: ${contentSeen(input.devices.expected)}`, ...answers].join(
      "; ",
    ),
    evidence,
  );
}

export function storageSanitized(input: GateEvidenceInput): Evaluated {
  const off = skipped(input);
  if (off !== null) return off;
  const answers = answersOf(input).map(formatAnswer);
  const withdrawn = answersOf(input).find(({ disposition }) => !input.standing.includes(disposition.id));
  // safety: gates: an answer for a drive that was withdrawn
  if (withdrawn !== undefined)
    return unsatisfied(
      `the disposition of drive ${withdrawn.serial} was withdrawn or replaced: restart the plan`,
      { answered: answersOf(input) },
    );
  const { excluded, unresolved: open = [] } = input.devices;
  const [first] = open;
  // Checked before anything counts as clean or without storage, because an unknown device may be a drive.
  // safety: gates: storage that nobody can name blocks until a person decides
  if (first !== undefined) {
    return unsatisfied(`${first.reason}${open.length === 1 ? "" : ` (and ${open.length - 1} more)`}`, {
      unresolved: open,
      excluded,
    });
  }
  if (input.devices.expected.length === 0) return withoutStorage(input, answers);
  if (rechecked(input)) return recheckedStorage(input, answers);
  return cleanedStorage(input, answers);
}

const cleanedEvidence = (input: GateEvidenceInput, verdicts: Verdicts): Record<string, unknown> => ({
  devices: input.devices.expected.map((device) => ({
    serial: device.serial,
    verdict: verdicts.get(deviceKey(device))?.verdict ?? "none",
  })),
  content: contentEvidence(input),
  ...(answersOf(input).length === 0 ? {} : { answered: answersOf(input) }),
  ...(input.devices.excluded.length === 0 ? {} : { excluded: input.devices.excluded }),
});

/** The disabled erases that left one of their drives untreated. */
const missedBy = (
  left: readonly DisabledStep[],
  untreatedDevices: readonly StorageDevice[],
): readonly DisabledStep[] =>
  left.filter(
    (row) =>
      row.devices.length === 0 ||
      row.devices.some((device) => untreatedDevices.some((drive) => deviceKey(drive) === deviceKey(device))),
  );

/** After a cleaning: the verdict of every drive, the later inventory, and the content in the final boot. */
function cleanedStorage(input: GateEvidenceInput, answers: readonly string[]): Evaluated {
  if (input.voided !== null) return unsatisfied(`the erase results are void: ${input.voided}`);
  const verdicts = verdictsOf(input);
  const evidence = cleanedEvidence(input, verdicts);
  const left = disabledFor(input, "storageSanitized");
  const untreated = new Set(left.flatMap((row) => row.devices.map(deviceKey)));
  const untreatedDevices = input.devices.expected.filter(
    (device) => verdicts.get(deviceKey(device))?.verdict !== "sanitized",
  );
  // A drive may be left out only if it has no result at all. A failed result counts against it.
  const refuted = untreatedDevices.find(
    (device) => verdicts.has(deviceKey(device)) || !untreated.has(deviceKey(device)),
  );
  if (refuted !== undefined)
    return unsatisfied(
      `${refuted.serial}: ${verdicts.get(deviceKey(refuted))?.reason ?? noResult(refuted)}`,
      evidence,
    );
  const storage = input.proven.sku?.storage;
  // safety: gates: an inventory after cleaning
  if (input.proven.sku === null) return unsatisfied("no inventory was taken after cleaning", evidence);
  // safety: gates: the drives after cleaning
  if (storage !== null && storage !== undefined)
    return unsatisfied(`storage after cleaning differs: ${storage}`, evidence);
  const mayBeUntreated = mustBeCleaned(input) ? new Set<string>() : untreated;
  const unproven = contentUnproven(
    input,
    inReachOfAgent(input.devices.expected).filter(
      (device) => !untreatedDevices.includes(device) && !mayBeUntreated.has(deviceKey(device)),
    ),
  );
  if (unproven !== null) return unsatisfied(unproven, evidence);
  const missed = missedBy(left, untreatedDevices);
  if (missed.length > 0)
    return disabled(input, missed, {
      ...evidence,
      disabled: missed.map((row) => `${row.interface}.${row.step}`),
    });
  return satisfied(
    [
      `${input.devices.expected.length} of ${input.devices.expected.length} devices`,
      contentSeen(input.devices.expected),
      ...answers,
    ].join("; "),
    evidence,
  );
}

// How gates judge the content of drives: recorded since their last erase, and found unchanged in the final boot (docs/adr/0021-content-fingerprints.md).

/** Drives whose content an agent can read. */
const inReachOfAgent = (devices: readonly KnownDevice[]): readonly KnownDevice[] =>
  devices.filter(({ outOfBand }) => outOfBand !== true);

/**
 * The first drive for which no later reading could show that its content is unchanged: no agent reaches it, or none recorded its content.
 * Undefined: all drives can be compared. Pure (docs/adr/0028-recheck-after-maintenance.md).
 */
export function incomparable(
  devices: readonly KnownDevice[],
  content: Pick<DriveContents, "drives"> | null,
): StorageDevice | undefined {
  const known = new Set((content?.drives ?? []).map(deviceKey));
  return devices.find((device) => device.outOfBand === true || !known.has(deviceKey(device)));
}

/** Why it is not proven that the content of `devices` is unchanged; null: it is. Fails closed. Pure. */
function contentUnproven(
  { content, boot }: GateEvidenceInput,
  devices: readonly StorageDevice[],
): string | null {
  if (devices.length === 0) return null;
  if (content === null) return "the drives' content after the erase was not recorded; restart the plan";
  const known = new Set(content.drives.map(deviceKey));
  const unknown = devices.find((device) => !known.has(deviceKey(device)));
  // safety: gates: content of every drive
  if (unknown !== undefined) return `${unknown.serial}: no agent recorded its content after the erase`;
  return content.read !== null && content.read.epoch === bootEpochOf(boot)
    ? null
    : "the drives' content was not read again in the final boot";
}

/** Part of a satisfied gate's reason: how many drives were compared, and how many only the BMC reaches. */
function contentSeen(devices: readonly KnownDevice[]): string {
  const seen = inReachOfAgent(devices).length;
  const hidden = devices.length - seen;
  return [
    seen > 0 ? `content of ${seen} unchanged in the final boot` : "",
    hidden > 0 ? `content of ${hidden} visible to the BMC only, not compared` : "",
  ]
    .filter((part) => part !== "")
    .join("; ");
}

function contentEvidence({ devices, content }: GateEvidenceInput): Record<string, unknown> {
  return {
    readEpoch: content?.read?.epoch ?? null,
    drives: content?.drives.map(({ serial }) => serial) ?? [],
    visibleToBmcOnly: devices.expected
      .filter(({ outOfBand }) => outOfBand === true)
      .map(({ serial }) => serial),
  };
}
