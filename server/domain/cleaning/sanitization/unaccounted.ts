// The drives of a host that are owed or expected but not in its inventories, for which a person may record a disposition.
import { z } from "zod";
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import { disposition, unanswerable } from "@/server/domain/cleaning/sanitization/dispositions";
import { dispositionKinds } from "@/server/domain/cleaning/sanitization/disposition-kinds";
import type { DispositionKind } from "@/server/domain/cleaning/sanitization/disposition-kinds";
import type { Disposition } from "@/server/domain/cleaning/sanitization/dispositions";
import type { DeviceList, UnresolvedStorage } from "@/server/domain/cleaning/sanitization/known-devices";

/** The latest inventory of one source; null: never read. */
export interface NewestReading {
  readonly takenMs: number;
  readonly storage: readonly StorageDevice[];
}

export const unaccountedDrive = z
  .strictObject({
    key: z.string(),
    model: z.string(),
    slot: z.string().nullable(),
    knownBy: z.string(),
    /** The BMC's latest reading lists it. Until that changes, no disposition that it was removed is accepted. */
    listedByBmc: z.boolean(),
    /** Serial number of the drive that the newest inventory lists in its slot; null: none, or its slot is not known. */
    successor: z.string().nullable(),
    /** Why no disposition of this drive is accepted; null: one may be recorded. */
    refusal: z.string().nullable(),
    /** The disposition of the drive that stands, if any. */
    disposition: disposition.readonly().nullable(),
  })
  .readonly();
export type UnaccountedDrive = z.infer<typeof unaccountedDrive>;

interface Known {
  readonly owed: readonly string[];
  /** Of the current or last reclamation; null before its plan. */
  readonly list: Pick<DeviceList, "expected" | "missing" | "unresolved"> | null;
  /** What the BMC's latest reading contains besides drives. */
  readonly unresolved?: readonly UnresolvedStorage[];
  readonly bmc: NewestReading | null;
  readonly agent: NewestReading | null;
  readonly dispositions: readonly Disposition[];
}

const lists = (reading: NewestReading | null, serial: string): boolean =>
  reading?.storage.some((device) => device.serial === serial) === true;

/** What the newest reading that names the slot has in it. */
function successorOf(
  serial: string,
  slot: string | null,
  readings: readonly (NewestReading | null)[],
): string | null {
  const [newest] = readings
    .flatMap((reading) => {
      const held = slot === null ? undefined : reading?.storage.find((device) => device.slot === slot);
      return reading === null || held === undefined ? [] : [{ takenMs: reading.takenMs, held }];
    })
    .sort((a, b) => b.takenMs - a.takenMs);
  return newest === undefined || newest.held.serial === serial ? null : newest.held.serial;
}

/** In order: missing from the list, expected but gone, named by a debt, unresolved, and with an earlier disposition. Pure. */
export function unaccountedDrives({
  owed,
  list,
  unresolved = [],
  bmc,
  agent,
  dispositions,
}: Known): readonly UnaccountedDrive[] {
  const found = new Map<string, UnaccountedDrive>();
  const add = (
    serial: string,
    about: { readonly model: string; readonly slot: string | null; readonly knownBy: string },
  ): void => {
    if (!found.has(serial))
      found.set(serial, {
        key: serial,
        ...about,
        listedByBmc: lists(bmc, serial),
        successor: successorOf(serial, about.slot, [bmc, agent]),
        refusal: null,
        disposition: dispositions.find(({ key }) => key === serial) ?? null,
      });
  };
  const expected = list?.expected ?? [];
  // The agent's report is from its last boot. If the BMC knew the drive and was read later, the BMC's newer reading counts.
  const isGone = (serial: string): boolean => {
    if (!lists(agent, serial)) return agent !== null || !lists(bmc, serial);
    const ofBmc = expected.some((device) => device.serial === serial && device.sources.includes("bmc"));
    return ofBmc && bmc !== null && bmc.takenMs > (agent?.takenMs ?? 0) && !lists(bmc, serial);
  };
  const slotOf = (serial: string): string | null =>
    [...expected, ...(bmc?.storage ?? [])].find((device) => device.serial === serial)?.slot ?? null;
  for (const { serial, model, knownBy } of list?.missing ?? [])
    if (isGone(serial)) add(serial, { model, slot: slotOf(serial), knownBy });
  for (const { serial, model, sources, outOfBand } of expected) {
    if (isGone(serial) && !(outOfBand === true && lists(bmc, serial)))
      add(serial, { model, slot: slotOf(serial), knownBy: sources.join(" and ") });
  }
  for (const serial of owed)
    if (isGone(serial)) add(serial, { model: "", slot: slotOf(serial), knownBy: "sanitization debt" });
  // Such an entry is listed, so nobody can state that it was removed, only that it was misread.
  for (const entry of [...(list?.unresolved ?? []), ...unresolved]) {
    const { key, model, place, slot, reason } = entry;
    found.set(key, {
      key,
      model: model ?? "",
      slot: slot ?? place,
      knownBy: reason,
      listedByBmc: true,
      successor: null,
      refusal: unanswerable(entry),
      disposition: dispositions.find((each) => each.key === key) ?? null,
    });
  }
  for (const { key, model, slot } of dispositions) add(key, { model, slot, knownBy: "disposition" });
  return [...found.values()];
}

/**
 * Why a disposition of this kind is refused; null: it may be recorded. The dialog offers only what this allows, and the server applies the
 * same rule. Pure.
 */
export function dispositionRefusal(
  { key, slot, listedByBmc, refusal }: Pick<UnaccountedDrive, "key" | "slot" | "listedByBmc" | "refusal">,
  kind: DispositionKind,
): string | null {
  if (refusal !== null) return refusal;
  return kind !== "misread" && listedByBmc
    ? `The BMC still lists drive ${key}${slot === null ? "" : ` in slot ${slot}`}. Remove the drive, read the inventory again, then record its disposition.`
    : null;
}

/** The dispositions that may be recorded for a drive. Pure. */
export const offeredDispositions = (drive: UnaccountedDrive): readonly DispositionKind[] =>
  dispositionKinds.filter((kind) => dispositionRefusal(drive, kind) === null);
