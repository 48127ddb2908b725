// Whether a reading of a host that waits in Ready still fits what was proven of it (docs/adr/0121-ready-lasts.md).
import { kindOfComponent } from "@/server/domain/hosts/inventory/firmware-name";
import { compareResetMarks } from "@/server/domain/hosts/reset-mark";
import { intrusionNormal } from "@/server/domain/hosts/ready-watch/reading";
import type { ReadyBaseline, ReadyReading } from "@/server/domain/hosts/ready-watch/reading";

export interface Difference {
  /** As said in the host's history. */
  readonly text: string;
  /**
   * - `changed`: nothing else explains it.
   * - `unclear`: a machine that is starting or off may look like this, so it must still be so at a later reading.
   * - `unread`: the BMC does not report the part at all. That is no proof that nothing changed, and none that something did.
   * - `unknown`: Reclaim has no record to compare with, and no later reading brings one.
   */
  readonly sign: "changed" | "unclear" | "unread" | "unknown";
}

/** For this long after it became Ready, a host's reset counts as the restart by which its agent ends. */
const agentRestartMs = 10 * 60_000;

/** A web server may send the same time for ten seconds. */
const roundingMs = 15_000;

/** A moment by the BMC's clock in ours. Null: the BMC does not tell its own time, or tells one that the mark cannot have. */
function inOurTime({ resetMark, bmcTime }: ReadyReading, readAtMs: number): number | null {
  const ageMs = Date.parse(bmcTime ?? "") - Date.parse(resetMark ?? "");
  return Number.isFinite(ageMs) && ageMs >= -roundingMs ? readAtMs - ageMs : null;
}

const quoted = (serials: readonly string[]): string =>
  new Intl.ListFormat("en", { type: "conjunction" }).format(serials);

const drivesText = (serials: readonly string[]): string =>
  `${serials.length === 1 ? "drive" : "drives"} ${quoted(serials)}`;

function ofDrives(before: Pick<ReadyReading, "drives" | "unnamed">, after: ReadyReading): Difference[] {
  const known = new Set((before.drives ?? []).map(({ serial }) => serial));
  const listed = new Set((after.drives ?? []).map(({ serial }) => serial));
  const isUnread = after.drives === null && known.size > 0;
  const gone = isUnread ? [] : [...known].filter((serial) => !listed.has(serial));
  const added = [...listed].filter((serial) => !known.has(serial));
  const unnamed = after.unnamed.filter((key) => !before.unnamed.includes(key));
  // safety: ready: a drive that came while the host waited (never)
  const came = added.length > 0;
  // safety: ready: a drive that went while the host waited (never)
  const went = gone.length > 0;
  return [
    ...(isUnread ? [{ text: "its BMC lists no drives", sign: "unread" as const }] : []),
    ...(came
      ? [
          {
            text: `its BMC lists ${drivesText(added)}, which the host did not have`,
            sign: "changed" as const,
          },
        ]
      : []),
    ...(went
      ? [
          {
            text: `its BMC no longer lists ${drivesText(gone)}`,
            sign: added.length > 0 ? ("changed" as const) : ("unclear" as const),
          },
        ]
      : []),
    ...(unnamed.length > 0
      ? [
          {
            text: "its BMC lists a drive without a serial number that was not there",
            sign: "unclear" as const,
          },
        ]
      : []),
  ];
}

const isSame = (before: string, after: string): boolean =>
  compareResetMarks({ resetMark: before }, { resetMark: after }) === "same";

/** By the BMC's clock alone, the reset follows the last one that Reclaim ordered as soon as Ready does. True if that one was not dated. */
function isSoonAfter(
  {
    orderedMark,
    orderedReadAt,
    readySinceMs,
  }: Pick<ReadyBaseline, "orderedMark" | "orderedReadAt" | "readySinceMs">,
  mark: string,
): boolean {
  if (orderedMark === null || orderedReadAt === null) return true;
  const tookMs = readySinceMs - Date.parse(orderedReadAt);
  return Date.parse(mark) - Date.parse(orderedMark) <= tookMs + agentRestartMs;
}

function ofReset(
  { readySinceMs, agentRestarts, orderedMark, orderedReadAt, last }: ReadyBaseline,
  after: ReadyReading,
  readAtMs: number,
): Difference[] {
  const before = last === null ? orderedMark : last.resetMark;
  if (after.resetMark === null)
    return before === null
      ? []
      : [{ text: "its BMC no longer reports when the host was last reset", sign: "unread" }];
  if (before !== null && isSame(before, after.resetMark)) return [];
  // The agent's own restart may be the one reset that nobody has seen yet.
  const agentRestarted =
    last !== null &&
    (orderedMark === null || last.resetMark === null || !isSame(orderedMark, last.resetMark));
  const atMs = inOurTime(after, readAtMs);
  if (
    agentRestarts &&
    !agentRestarted &&
    atMs !== null &&
    atMs <= readySinceMs + agentRestartMs &&
    isSoonAfter({ orderedMark, orderedReadAt, readySinceMs }, after.resetMark)
  )
    return [];
  // A BMC that begins to report resets was not watched before; what it reports now is not a change.
  if (last !== null && last.resetMark === null) return [];
  // The same where the last restart was proven otherwise, so that no reset time is kept (docs/adr/0020-a-boot-is-proven.md): one that cannot be dated
  // either would end each proof of such a host anew.
  if (before === null && (!agentRestarts || atMs === null)) return [];
  return [
    {
      text: `the time of its last reset moved to ${after.resetMark}, so the host was reset, or its BMC's clock was set`,
      sign: "changed",
    },
  ];
}

type Firmware = NonNullable<ReadyReading["firmware"]>;

/** Sorted versions by name, in the order of the list. */
function versionsBy(firmware: Firmware, nameOf: (component: string) => string) {
  const named = new Map<string, string[]>();
  for (const { component, version } of firmware) {
    const name = nameOf(component);
    named.set(name, [...(named.get(name) ?? []), version].sort());
  }
  return named;
}

/** Components with one name in both lists are compared by name, the rest by kind: an earlier release stored other names of the same components. */
function ofFirmware(before: ReadyReading["firmware"], after: ReadyReading["firmware"]): Difference[] {
  if (before === null) return [];
  if (after === null) return [{ text: "its BMC no longer lists its firmware", sign: "unread" }];
  const names = new Set(after.map(({ component }) => component));
  const both = new Set(before.map(({ component }) => component).filter((name) => names.has(name)));
  const nameOf = (component: string) => (both.has(component) ? component : kindOfComponent(component));
  const [was, now] = [versionsBy(before, nameOf), versionsBy(after, nameOf)];
  return [...new Set([...was.keys(), ...now.keys()])].flatMap((name): Difference[] => {
    const [known, found] = [was.get(name) ?? [], now.get(name) ?? []];
    if (known.length !== found.length)
      return [{ text: `its BMC lists other firmware components than before: ${name}`, sign: "unclear" }];
    if (known.join(", ") === found.join(", ")) return [];
    const text = `the firmware of ${name} changed from ${known.join(", ")} to ${found.join(", ")}`;
    return [{ text, sign: "changed" }];
  });
}

function ofIntrusion(before: string | null, after: string | null): Difference[] {
  if (before !== intrusionNormal || after === intrusionNormal) return [];
  return [
    after === null
      ? { text: "its BMC no longer reports whether the chassis was opened", sign: "unread" }
      : { text: `its chassis reports ${after}`, sign: "changed" },
  ];
}

/** The differences between a reading and what was proven. Empty: none in what this BMC offers. Pure. */
export function differences(
  baseline: ReadyBaseline,
  reading: ReadyReading,
  readAtMs: number,
): readonly Difference[] {
  const { last, inventory } = baseline;
  const drives = last ?? inventory;
  return [
    ...(drives === null
      ? [{ text: "no list of the drives that it was proven with is recorded", sign: "unknown" as const }]
      : ofDrives(drives, reading)),
    ...ofReset(baseline, reading, readAtMs),
    ...ofFirmware(last?.firmware ?? null, reading.firmware),
    ...ofIntrusion(last?.intrusion ?? null, reading.intrusion),
  ];
}

/** All of them, as one reason. */
export const differencesText = (found: readonly Difference[]): string =>
  found.map(({ text }) => text).join("; ");
