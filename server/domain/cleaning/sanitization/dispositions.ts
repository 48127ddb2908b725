// Dispositions: what a person states about a missing drive that is owed or expected, and which drives they account for (docs/adr/0023-drive-dispositions.md).
import { z } from "zod";
import { unknownPlace } from "@/server/domain/hosts/inventory/inventory";
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import type { UnresolvedStorage } from "@/server/domain/cleaning/sanitization/known-devices";
import { dispositionKinds, dispositionTable } from "@/server/domain/cleaning/sanitization/disposition-kinds";

/**
 * The second person's decision. `one`: recorded before a second signature was required, so there is none. Such a disposition keeps what already depends
 * on it, but accounts for nothing new (docs/adr/0105-exceptions-and-dispositions.md).
 */
const signatures = ["signed", "waits", "rejected", "one"] as const;
type Signature = (typeof signatures)[number];

/** Labels. */
export const signatureLabels = {
  signed: "signed by another person",
  waits: "waits for another person's signature",
  rejected: "rejected by another person",
  one: "one signature: record it again for another person to sign",
} satisfies Record<Signature, string>;

/** A disposition that was not withdrawn. */
export const disposition = z.object({
  id: z.string(),
  /** The drive's serial; for an inventory entry without one, the entry's key. */
  key: z.string(),
  /** Empty: any model, because a debt names none. */
  model: z.string(),
  /** For `misread`. */
  slot: z.string().nullable(),
  kind: z.enum(dispositionKinds),
  reason: z.string(),
  by: z.string(),
  at: z.string(),
  signature: z.enum(signatures).default("one"),
  /** Who decided on it; null: nobody. */
  signedBy: z.string().nullable().default(null),
});
export type Disposition = Readonly<z.infer<typeof disposition>>;

/** Expected or owed, but not seen. */
interface Missing {
  readonly serial: string;
  readonly model: string;
  readonly knownBy: string;
}

/** A device that a disposition removed from the list, as shown in evidence. */
export interface AnsweredDevice extends Missing {
  readonly disposition: Disposition;
}

/** The part of a device list (known-devices.ts) that dispositions change. */
interface Answerable {
  readonly expected: readonly { readonly serial: string; readonly model: string }[];
  readonly missing: readonly Missing[];
  readonly answered?: readonly AnsweredDevice[];
  readonly unresolved?: readonly UnresolvedStorage[];
  readonly resolved?: readonly UnresolvedStorage[];
}

/** An inventory and when it was taken, in ms; 0: unknown. */
export interface Reading {
  readonly takenMs: number;
  readonly storage: readonly StorageDevice[];
}

/** Why a disposition does not account for a missing drive; null: it does. What an inventory shows is there, whatever a person states. Pure. */
export function contradiction(
  { serial }: Pick<Missing, "serial">,
  { kind, at, slot }: Disposition,
  readings: readonly Reading[],
): string | null {
  if (kind !== "misread") {
    return readings.some(({ storage }) => storage.some((device) => device.serial === serial))
      ? "an inventory still lists it"
      : null;
  }
  const read = readings.some(
    ({ takenMs, storage }) =>
      takenMs > Date.parse(at) && storage.some((device) => device.slot === slot && device.serial !== serial),
  );
  return read ? null : `no inventory taken since then shows another drive in slot ${slot ?? "?"}`;
}

/**
 * Why no disposition can account for an entry of an inventory; null: *misread* can. If the agent itself sees two drives with the same serial number, no step
 * could prove which one it erased, whatever a person states. A statement about a drive at an unknown port could apply to another drive in the next boot. Pure.
 */
export function unanswerable({
  source,
  serial,
  place,
  reason,
}: Pick<UnresolvedStorage, "source" | "serial" | "place" | "reason">): string | null {
  // safety: dispositions: two drives that the agent sees under one serial number (never)
  return source === "agent" && (serial !== null || place === unknownPlace)
    ? `${reason} No disposition covers this.`
    : null;
}

const isSigned = ({ signature }: Disposition): boolean => signature === "signed";

const isOf = ({ key, model }: Disposition, device: Missing): boolean =>
  key === device.serial && (model === "" || device.model === "" || model === device.model);

/**
 * Moves missing drives that a signed disposition accounts for from the list to `answered`. A drive that the agent sees is never missing, so no disposition can
 * remove it, and a disposition that the inventories contradict has no effect. An entry that is not a treatable drive is accounted for by *misread* only, under
 * its own key; another entry at the same place has another key. Pure.
 */
export function answerDevices<L extends Answerable>(
  list: L,
  dispositions: readonly Disposition[],
  readings: readonly Reading[],
): L {
  const gone = list.missing.flatMap((device): readonly AnsweredDevice[] => {
    const answer = dispositions.find(
      (each) => isSigned(each) && isOf(each, device) && contradiction(device, each, readings) === null,
    );
    return answer === undefined ? [] : [{ ...device, disposition: answer }];
  });
  const answerOf = (entry: UnresolvedStorage): Disposition | undefined =>
    unanswerable(entry) === null
      ? dispositions.find((each) => isSigned(each) && each.key === entry.key && each.kind === "misread")
      : undefined;
  const resolved = (list.unresolved ?? []).filter((entry) => answerOf(entry) !== undefined);
  const misread = resolved.flatMap((entry): readonly AnsweredDevice[] => {
    const answer = answerOf(entry);
    return answer === undefined
      ? []
      : [
          {
            serial: entry.serial ?? entry.place,
            model: entry.model ?? "",
            knownBy: entry.source === "bmc" ? "BMC" : "agent",
            disposition: answer,
          },
        ];
  });
  const answered = [...gone, ...misread];
  if (answered.length === 0) return list;
  const isAnswered = (device: { readonly serial: string; readonly model: string }): boolean =>
    gone.some(({ serial, model }) => serial === device.serial && model === device.model);
  const left = (list.unresolved ?? []).filter((entry) => !resolved.includes(entry));
  return {
    ...list,
    expected: list.expected.filter((device) => !isAnswered(device)),
    missing: list.missing.filter((device) => !isAnswered(device)),
    answered,
    ...(list.unresolved === undefined ? {} : { unresolved: left, resolved }),
  };
}

/** "Drive S1: removed and destroyed, stated by Ada on 2026-11-22, signed by Bea: shredded". Pure. */
export function formatAnswer({
  serial,
  disposition: { kind, slot, by, at, reason, signedBy },
}: {
  readonly serial: string;
  readonly disposition: Disposition;
}): string {
  return `Drive ${serial}: ${dispositionTable[kind].words}${kind === "misread" ? ` in slot ${slot ?? "?"}` : ""}, stated by ${by} on ${at.slice(0, 10)}, ${signedBy === null ? "one signature" : `signed by ${signedBy}`}: ${reason}`;
}
