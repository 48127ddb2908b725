// What one model or firmware does differently from the standard: one table, asked by name wherever it matters (docs/adr/0045-a-folder-per-vendor.md).

export interface Quirk {
  readonly vendor: string;
  /** Of the part that it is about: a storage controller, an NVMe controller, a drive. */
  readonly model: RegExp;
  /** The versions that have it, the last one not included; null: all. */
  readonly firmware: { readonly from?: string; readonly before?: string } | null;
  /** What is different, and what is done about it. */
  readonly differs: string;
  /** Where that is written: a page of this repository, the vendor's manual, or the machine that it was seen on. */
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

/** A part as it says of itself. */
export interface QuirkSubject {
  readonly model: string | null | undefined;
  /** Left out where nobody reads it. */
  readonly firmware?: string | null | undefined;
}

const compare = (a: string, b: string): number => a.localeCompare(b, "en", { numeric: true });

/** Whether a part has it. A firmware that is not known counts as one that has it: the standard's way may fail there. Pure. */
export function isQuirkOf({ model, firmware: range }: Quirk, subject: QuirkSubject): boolean {
  if (subject.model == null || !model.test(subject.model.trim())) return false;
  const { firmware } = subject;
  if (range === null || firmware == null || firmware.trim() === "") return true;
  return (
    (range.from === undefined || compare(firmware, range.from) >= 0) &&
    (range.before === undefined || compare(firmware, range.before) < 0)
  );
}

/** Whether a part has the quirk of that name. Pure. */
export const hasQuirk = (name: QuirkName, subject: QuirkSubject): boolean => isQuirkOf(quirks[name], subject);
