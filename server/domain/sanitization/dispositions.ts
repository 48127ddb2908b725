// What a person states of a drive that is owed or expected and that nobody finds, and what the statement answers (docs/adr/0023-drive-dispositions.md).
import type { StorageDevice } from "@/server/domain/inventory/inventory";

export const dispositionKinds = ["removed-destroyed", "removed-returned", "removed-quarantined", "misread"] as const;
export type DispositionKind = (typeof dispositionKinds)[number];

interface KindRow {
  /** For choosing it. */
  readonly label: string;
  /** In evidence: "Drive X: removed and destroyed, stated by …". */
  readonly words: string;
  /** What it means for the host and for the drive, in one sentence. */
  readonly consequence: string;
}

const whereItGoes = "The host is no longer asked for the drive. Wherever its serial number turns up, the drive is owed a sanitization and is cleaned.";

export const dispositionTable = {
  "removed-destroyed": { label: "Removed and destroyed", words: "removed and destroyed", consequence: whereItGoes },
  "removed-returned": { label: "Removed and returned to the vendor", words: "removed and returned to the vendor", consequence: `${whereItGoes} Nothing here proves that its data is gone.` },
  "removed-quarantined": { label: "Removed and kept in quarantine", words: "removed and kept in quarantine", consequence: `${whereItGoes} Nothing here proves that its data is gone.` },
  misread: {
    label: "Misread: the slot holds a drive with another serial number",
    words: "misread",
    consequence: "It counts once an inventory that is taken afterwards shows a drive with another serial number in that slot; that drive is erased like any other.",
  },
} as const satisfies Record<DispositionKind, KindRow>;

/** One statement that stands. */
export interface Disposition {
  readonly id: string;
  /** The drive's serial; of an inventory entry without one, its key. */
  readonly key: string;
  /** Empty: of any model, as a debt names no model. */
  readonly model: string;
  /** Of `misread`. */
  readonly slot: string | null;
  readonly kind: DispositionKind;
  readonly reason: string;
  readonly by: string;
  /** ISO. */
  readonly at: string;
}

/** Expected or owed, and not seen. */
interface Missing {
  readonly serial: string;
  readonly model: string;
  readonly knownBy: string;
}

/** A device that a statement took out of the list: what evidence shows of it. */
export interface AnsweredDevice extends Missing {
  readonly disposition: Disposition;
}

/** The part of a device list (known-devices.ts) that statements change. */
interface Answerable {
  readonly expected: readonly { readonly serial: string; readonly model: string }[];
  readonly missing: readonly Missing[];
  readonly answered?: readonly AnsweredDevice[];
}

/** An inventory and when it was taken, in ms; 0 where that is not known. */
export interface Reading {
  readonly takenMs: number;
  readonly storage: readonly StorageDevice[];
}

/** Why a statement does not answer for a missing drive; null when it does. What is seen is there, whatever a person says of it. Pure. */
export function contradiction({ serial }: Pick<Missing, "serial">, disposition: Disposition, readings: readonly Reading[]): string | null {
  if (disposition.kind !== "misread") {
    return readings.some(({ storage }) => storage.some((device) => device.serial === serial)) ? "an inventory still lists it" : null;
  }
  const read = readings.some(({ takenMs, storage }) => takenMs > Date.parse(disposition.at) && storage.some((device) => device.slot === disposition.slot && device.serial !== serial));
  return read ? null : `no inventory taken since then shows another drive in slot ${disposition.slot ?? "?"}`;
}

const isOf = (disposition: Disposition, device: Missing): boolean => disposition.key === device.serial && (disposition.model === "" || device.model === "" || disposition.model === device.model);

/**
 * Takes the missing drives that a standing statement answers for out of the list, each into `answered`. A drive that the agent sees is never
 * missing, so nothing that is said of one takes it out; a statement that the inventories contradict answers nothing. Pure.
 */
export function answerDevices<L extends Answerable>(list: L, dispositions: readonly Disposition[], readings: readonly Reading[]): L {
  const answered = list.missing.flatMap((device): readonly AnsweredDevice[] => {
    const disposition = dispositions.find((each) => isOf(each, device) && contradiction(device, each, readings) === null);
    return disposition === undefined ? [] : [{ ...device, disposition }];
  });
  if (answered.length === 0) return list;
  const isAnswered = (device: { readonly serial: string; readonly model: string }): boolean => answered.some(({ serial, model }) => serial === device.serial && model === device.model);
  return { ...list, expected: list.expected.filter((device) => !isAnswered(device)), missing: list.missing.filter((device) => !isAnswered(device)), answered };
}

/** "Drive S1: removed and destroyed, stated by Ada on 2026-11-22: shredded". Pure. */
export function answerWords({ serial, disposition }: Pick<AnsweredDevice, "serial"> & { readonly disposition: Disposition }): string {
  const { kind, slot, by, at, reason } = disposition;
  return `Drive ${serial}: ${dispositionTable[kind].words}${kind === "misread" ? ` in slot ${slot ?? "?"}` : ""}, stated by ${by} on ${at.slice(0, 10)}: ${reason}`;
}
