// A row of the table of causes, and the wording that rows share.
import type { Cause, CauseDevice } from "@/server/domain/cleaning/failures/cause";
import { meaningOf, statusCode } from "@/server/domain/cleaning/failures/statuses/meaning";
import { techniques } from "@/server/domain/cleaning/sanitization/techniques";
import type { Technique } from "@/server/domain/cleaning/sanitization/techniques";

export interface CauseRow {
  /** One or two words for a table and a filter. */
  readonly label: string;
  /** What happened in a few words, then the device or reason. Default: the label, then device, step or answer. For lists, which truncate at the end. */
  readonly brief?: (cause: Cause) => string;
  /** One full sentence: the device, where it is, what happened and what that means. */
  readonly says: (cause: Cause) => string;
  /** What to check next: full sentences that make sense without the rest of the page. `goesOn`: Reclaim keeps retrying by itself. */
  readonly check: (cause: Cause, goesOn: boolean) => string;
  /** After how many stops a drive that has this is to be replaced; without it, replacing the drive is not what this calls for. */
  readonly replaceAfter?: number;
}

const techniqueNames: Readonly<Record<Technique, string>> = {
  "nvme-sanitize-crypto": "Sanitize (crypto erase)",
  "nvme-sanitize-block": "Sanitize (block erase)",
  "nvme-sanitize-overwrite": "Sanitize (overwrite)",
  "nvme-format-crypto": "Format NVM (crypto erase)",
  "nvme-format-user-data": "Format NVM (user data erase)",
  "nvme-format-none": "Format NVM (no erase)",
  "delete-namespace": "Delete namespace",
  blkdiscard: "Discard",
  "ata-sanitize-crypto": "ATA Sanitize (crypto scramble)",
  "ata-sanitize-block": "ATA Sanitize (block erase)",
  "ata-secure-erase-enhanced": "ATA Enhanced Security Erase",
  "ata-secure-erase": "ATA Security Erase",
  overwrite: "Overwrite",
  "scsi-sanitize-crypto": "SCSI Sanitize (crypto erase)",
  "scsi-sanitize-block": "SCSI Sanitize (block erase)",
  "scsi-format": "SCSI Format",
  "dell-boss-decommission": "BOSS decommission",
  "redfish-drive-secure-erase": "Redfish Drive.SecureErase",
  "raid-kit-format": "Format NVM through the RAID kit",
};

const isTechnique = (name: string): name is Technique => techniques.some((known) => known === name);

/** The name in the standard. A technique of a newer agent is shown as it is. */
export const formatTechnique = ({ technique }: Pick<Cause, "technique">): string =>
  technique === undefined ? "the erase" : isTechnique(technique) ? techniqueNames[technique] : technique;

/** "Sanitize", "ATA Security Erase": the command, for a list. */
export const formatCommand = (cause: Pick<Cause, "technique">): string =>
  cause.technique === undefined ? "Erase" : formatTechnique(cause).replace(/ \([^)]*\)$/, "");

/** A bare number becomes "slot N". A BMC's name for the slot is used as it is, unless it reads like a drive's name. */
const formatSlot = (slot: string): string =>
  /^\d+$/.test(slot)
    ? `slot ${slot}`
    : slot.replace(/^(Slot|Bay|Drive) /, (word) => (word === "Drive " ? "bay " : word.toLowerCase()));

const isDrive = ({ kind }: CauseDevice): boolean => kind === "drive";

/** "Drive S6XNNA0T (slot 3, Dell Ent NVMe)". */
export function deviceText({ device }: Pick<Cause, "device">): string {
  if (device === undefined) return "A device";
  const name = isDrive(device)
    ? `Drive ${device.serial ?? "without a serial number"}`
    : (device.model ?? "A device");
  const where = device.slot === undefined ? [] : [formatSlot(device.slot)];
  const what = !isDrive(device) || device.model === undefined ? [] : [device.model];
  const besides = [...where, ...what];
  return besides.length === 0 ? name : `${name} (${besides.join(", ")})`;
}

/** "S6XNNA0T in slot 3", in the middle of a sentence about what to do. */
export const deviceAt = ({ device }: Pick<Cause, "device">): string =>
  `${device?.serial ?? "without a serial number"}${device?.slot === undefined ? "" : ` in ${formatSlot(device.slot)}`}`;

/** "drive 3, Dell Ent NVMe", for a list: by slot if it is known. */
function driveBrief({ slot, serial, model }: CauseDevice): string {
  const number = slot === undefined ? undefined : /^(?:(?:Drive|Slot|Bay) )?(\d+)$/.exec(slot)?.[1];
  const place =
    slot === undefined ? (serial ?? "without a serial number") : (number ?? `in ${formatSlot(slot)}`);
  return [`drive ${place}`, ...(model === undefined ? [] : [model])].join(", ");
}

/** "firmware 1.2.3 of Dell Ent NVMe". */
export const formatFirmware = ({ device }: Pick<Cause, "device">): string =>
  device?.firmware === undefined || device.firmware === ""
    ? `the firmware of ${device?.model ?? "the drive"}`
    : `firmware ${device.firmware} of ${device.model ?? "the drive"}`;

/** The device's answer: the meaning of its status, or the code if unknown; without a status the first line of the text. "": nothing. */
export function formatAnswer({ status, raw }: Pick<Cause, "status" | "raw">): string {
  const meaning = status === undefined ? null : meaningOf(status);
  if (status !== undefined) return meaning === null ? `${statusCode(status)}` : meaning;
  return raw.split("\n")[0]?.trim() ?? "";
}

/** What a cause is about, for a list: its drive, its step, or the answer. "": unknown. */
export function aboutText(cause: Cause): string {
  const { device, step } = cause;
  if (device !== undefined && isDrive(device)) return driveBrief(device);
  return step ?? withoutStop(formatAnswer(cause));
}

/** For lists, where nothing follows it. */
export const withoutStop = (words: string): string => words.replace(/\.$/, "");

/** "Drive missing: drive 3, CM6", or only what happened if nothing else is known. */
export const happened = (what: string, about: string): string => (about === "" ? what : `${what}: ${about}`);

/** A fact in the sentence; `…` if the record lacks it. */
export const fact = ({ facts }: Pick<Cause, "facts">, name: string): string => String(facts?.[name] ?? "…");

export const has = ({ facts }: Pick<Cause, "facts">, name: string): boolean => facts?.[name] !== undefined;

/** Ends with exactly one full stop. */
export const sentence = (words: string): string => (/[.?!]$/.test(words) ? words : `${words}.`);

/** "1 restart", "3 restarts"; `…` if the record lacks the number. */
export function countText(cause: Pick<Cause, "facts">, name: string, noun: string, nouns: string): string {
  const count = cause.facts?.[name];
  return `${count ?? "…"} ${count === 1 ? noun : nouns}`;
}

/** "90 s", "30 min", "4 h". */
export function formatSeconds(cause: Pick<Cause, "facts">, name: string): string {
  const seconds = cause.facts?.[name];
  if (typeof seconds !== "number") return "its time";
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}
