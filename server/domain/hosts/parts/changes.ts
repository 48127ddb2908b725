// What changed since the host was last verified: a part that was swapped, is gone, or is new (docs/parts.md#compared-with-what-the-host-had).
import { z } from "zod";
import { evidenceDigest } from "@/server/domain/assurance/approvals/evidence-digest";
import { part, partKinds, partWords } from "@/server/domain/hosts/parts/part";
import type { Part, PartKind, PartsReport } from "@/server/domain/hosts/parts/part";
import { untoldReason } from "@/server/domain/hosts/parts/sku-parts";

/** What identifies a part from one return to the next. */
export const knownPart = part
  .pick({ kind: true, slot: true, model: true, serial: true, pciId: true })
  .strip();
export type KnownPart = z.infer<typeof knownPart>;

/** What a host had when it was last verified, or when somebody last accepted its parts. `told`: the kinds that were listed completely. */
export const knownParts = z.object({
  told: z.array(z.enum(partKinds)),
  parts: z.array(knownPart),
});
export type KnownParts = z.infer<typeof knownParts>;

const side = z.object({ slot: z.string(), model: z.string(), serial: z.string().optional() });

/**
 * `swapped`: another part is in the slot. `unnamed`: a part that had a serial number reports none. `unlisted`: the kind cannot be listed any more;
 * `reason` says why.
 */
export const partChange = z.object({
  kind: z.enum(partKinds),
  what: z.enum(["swapped", "gone", "added", "unnamed", "unlisted"]),
  before: side.nullable(),
  now: side.nullable(),
  reason: z.string().optional(),
});
export type PartChange = z.infer<typeof partChange>;

const sideOf = ({ slot, model, serial }: KnownPart): z.infer<typeof side> => ({
  ...{ slot, model },
  ...(serial === undefined ? {} : { serial }),
});

/** The same kind of thing. Names come from programs of the image, so the PCI id decides where both have one. */
const isAlike = (a: KnownPart, b: KnownPart): boolean =>
  a.pciId !== undefined && b.pciId !== undefined ? a.pciId === b.pciId : a.model === b.model;

/** Serial numbers that name one part each. */
function uniqueSerials(parts: readonly KnownPart[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { serial } of parts) if (serial !== undefined) counts.set(serial, (counts.get(serial) ?? 0) + 1);
  return new Set([...counts].flatMap(([serial, count]) => (count === 1 ? [serial] : [])));
}

/** Takes pairs out of both lists. */
function pairs(
  before: KnownPart[],
  now: KnownPart[],
  isPair: (a: KnownPart, b: KnownPart) => boolean,
): [KnownPart, KnownPart][] {
  const found: [KnownPart, KnownPart][] = [];
  for (const one of [...before]) {
    const other = now.find((each) => isPair(one, each));
    if (other === undefined) continue;
    before.splice(before.indexOf(one), 1);
    now.splice(now.indexOf(other), 1);
    found.push([one, other]);
  }
  return found;
}

function inSlot(kind: PartKind, [was, is]: readonly [KnownPart, KnownPart]): readonly PartChange[] {
  const change = (what: "swapped" | "unnamed"): PartChange => ({
    kind,
    what,
    before: sideOf(was),
    now: sideOf(is),
  });
  // safety: parts: another serial number in the slot
  if (was.serial !== undefined && is.serial !== undefined && was.serial !== is.serial)
    return [change("swapped")];
  if (!isAlike(was, is)) return [change("swapped")];
  // safety: parts: a serial number that is no longer reported
  if (was.serial !== undefined && is.serial === undefined) return [change("unnamed")];
  return [];
}

function ofKind(kind: PartKind, had: readonly KnownPart[], has: readonly KnownPart[]): readonly PartChange[] {
  const before = [...had];
  const now = [...has];
  pairs(before, now, (a, b) => a.slot === b.slot && a.serial === b.serial && isAlike(a, b));
  const [named, namedNow] = [uniqueSerials(before), uniqueSerials(now)];
  // A part that only moved to another slot is the same part.
  pairs(
    before,
    now,
    (a, b) =>
      a.serial !== undefined && a.serial === b.serial && named.has(a.serial) && namedNow.has(a.serial),
  );
  const changes = pairs(before, now, (a, b) => a.slot === b.slot).flatMap((pair) => inSlot(kind, pair));
  // Nothing tells parts without serial numbers apart, and bus numbers change when a card is added.
  pairs(before, now, (a, b) => a.serial === undefined && b.serial === undefined && isAlike(a, b));
  // safety: parts: a part that is gone (empty)
  const gone = before.map((each): PartChange => ({ kind, what: "gone", before: sideOf(each), now: null }));
  return [
    ...changes,
    ...gone,
    ...now.map((each): PartChange => ({ kind, what: "added", before: null, now: sideOf(each) })),
  ];
}

/**
 * Everything that differs from what the host had, by kind. A kind that was not listed then is learned now. Empty if nothing is known of before. Pure.
 * @param report what the agent reports now; undefined: it reports no parts
 */
export function partChanges(
  before: KnownParts | null,
  report: PartsReport | undefined,
): readonly PartChange[] {
  if (before === null) return [];
  return partKinds.flatMap((kind): readonly PartChange[] => {
    const had = before.parts.filter((each) => each.kind === kind);
    if (!before.told.includes(kind)) return [];
    const reason = untoldReason(report, kind);
    if (reason === null)
      return ofKind(kind, had, (report?.found ?? []).filter((each) => each.kind === kind).map(known));
    return had.length === 0 ? [] : [{ kind, what: "unlisted", before: null, now: null, reason }];
  });
}

function known({ kind, slot, model, serial, pciId }: Part): KnownPart {
  return {
    ...{ kind, slot, model },
    ...(serial === undefined ? {} : { serial }),
    ...(pciId === undefined ? {} : { pciId }),
  };
}

/** What is known from now on. Pure. */
export const knownOf = ({ told, found }: PartsReport): KnownParts => ({
  told: [...told].sort(),
  parts: found
    .filter(({ kind }) => told.includes(kind))
    .map(known)
    .sort((a, b) => (`${a.kind} ${a.slot}` < `${b.kind} ${b.slot}` ? -1 : 1)),
});

/** Binds a disposition to exactly these changes. Pure. */
export const changesDigest = (hostId: string, changes: readonly PartChange[]): string =>
  evidenceDigest({ hostId, changes });

const serialText = (serial: string | undefined): string =>
  serial === undefined ? "no serial number" : `serial ${serial}`;

/** Such as "GPU in slot 0000:17:00.0: serial A (H100) before, serial B (H100) now". Pure. */
export function changeText({ kind, what, before, now, reason }: PartChange): string {
  const { one, many } = partWords[kind];
  const text = (of: NonNullable<PartChange["before"]>): string =>
    `${serialText(of.serial)}${of.model === "" ? "" : ` (${of.model})`}`;
  switch (what) {
    case "unlisted":
      return `${many}: not reported by the agent: ${reason ?? ""}`;
    case "gone":
      return `${one} in slot ${before?.slot ?? ""}: ${before === null ? "" : text(before)} is gone`;
    case "added":
      return `${one} in slot ${now?.slot ?? ""}: ${now === null ? "" : text(now)} is new`;
    case "unnamed":
    case "swapped":
      return `${one} in slot ${now?.slot ?? ""}: ${before === null ? "" : text(before)} before, ${now === null ? "" : text(now)} now`;
  }
}

/** Changes of a host in one sentence. Pure. */
export const changesText = (changes: readonly PartChange[]): string => changes.map(changeText).join("; ");
