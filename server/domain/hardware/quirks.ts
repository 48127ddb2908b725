// Where a model or firmware deviates from the standard: one table, queried by name (docs/design/hardware.md#interfaces).

export interface Quirk {
  readonly vendor: string;
  /** Model of the part: a storage controller, an NVMe controller, a drive. */
  readonly model: RegExp;
  /** The affected versions, excluding `before`; null: all. */
  readonly firmware: { readonly from?: string; readonly before?: string } | null;
  /** How it deviates, and what Reclaim does about it. */
  readonly differs: string;
  /** Where that is documented: a page of this repository, the vendor's manual, or the machine on which it was seen. */
  readonly source: string;
}

export const quirks = {
  bootCard: {
    vendor: "Dell",
    model: /^BOSS\b/i,
    firmware: null,
    differs: "hides its two drives from the host; only its own controller erases them",
    source: "docs/design/hardware.md#dell-boss; tree of a PowerEdge R750",
  },
  raidKit: {
    vendor: "Lenovo",
    model: /^M\.2 .*2-Bay RAID Kit$/,
    firmware: null,
    differs: "shows volumes in place of its drives, which the agent reaches through the kit's own tool",
    source: "docs/design/sanitization.md#raid-kit; tree of a ThinkSystem SR670",
  },
  nvmeRaidKit: {
    vendor: "Lenovo",
    model: /^M\.2 NVMe 2-Bay RAID Kit$/,
    firmware: null,
    differs:
      "is an NVMe controller whose namespaces are its virtual disks: the drives in its bays are the devices",
    source: "docs/design/sanitization.md#raid-kit",
  },
} as const satisfies Readonly<Record<string, Quirk>>;
export type QuirkName = keyof typeof quirks;

/** A part as it describes itself. */
export interface QuirkSubject {
  readonly model: string | null | undefined;
  /** Left out if it is not read. */
  readonly firmware?: string | null | undefined;
}

const compare = (a: string, b: string): number => a.localeCompare(b, "en", { numeric: true });

/** Whether a part has the quirk. An unknown firmware counts as affected, because the standard behaviour may fail on it. Pure. */
export function isQuirkOf({ model, firmware: range }: Quirk, subject: QuirkSubject): boolean {
  if (subject.model == null || !model.test(subject.model.trim())) return false;
  const { firmware } = subject;
  if (range === null || firmware == null || firmware.trim() === "") return true;
  return (
    (range.from === undefined || compare(firmware, range.from) >= 0) &&
    (range.before === undefined || compare(firmware, range.before) < 0)
  );
}

export const hasQuirk = (name: QuirkName, subject: QuirkSubject): boolean => isQuirkOf(quirks[name], subject);
