// The names of a machine: what each source tells of it, which of it counts, and what a person may confirm (docs/machine-names.md).
import { evidenceDigest } from "@/server/domain/assurance/approvals/evidence-digest";
import { isPlaceholderSerial } from "@/server/domain/hosts/inventory/placeholder-serial";
import { isOwnUuid, sameUuid } from "@/server/domain/hosts/inventory/system-uuid";

/** Who tells names: the BMC over Redfish, the firmware when it asks how to boot, and the agent, which reads what the firmware tells the operating system. */
export const nameSources = ["bmc", "firmware", "agent"] as const;
export type NameSource = (typeof nameSources)[number];
export const nameKinds = ["serial", "uuid", "mac"] as const;
export type NameKind = (typeof nameKinds)[number];

/** A request for a boot script proves nothing, so what firmware tells there is only shown. */
const confirmable: ReadonlySet<string> = new Set<NameSource>(["bmc", "agent"]);

export interface ToldName {
  readonly source: NameSource;
  readonly kind: NameKind;
  readonly value: string;
  readonly lastSeenAt: Date;
  /** Null: nobody has. */
  readonly confirmedAt: Date | null;
}

/** What a host is known by. */
export interface OwnNames {
  readonly serial: string | null;
  readonly systemUuid: string | null;
  readonly macs: readonly string[];
  /** MAC addresses of these that another host has, too, such as that of a USB network card that all machines of a model have. */
  readonly sharedMacs: readonly string[];
}

/**
 * - `own`: the host is known by it. `confirmed`: a person confirmed it. `placeholder`: many boards have it, so it names no machine.
 * - `differs`: told, and not one of the host's. `added`: a MAC address that the host is not known by.
 * - `shared`: a MAC address of the host that another host has, too, so it tells neither apart.
 */
export const nameStandings = ["own", "confirmed", "placeholder", "differs", "added", "shared"] as const;
export type NameStanding = (typeof nameStandings)[number];

const same = (kind: NameKind, one: string, other: string): boolean =>
  kind === "uuid" ? sameUuid(one, other) : one === other;

/** Whether both are one name, whoever told them. Pure. */
export const sameName = (
  one: Pick<ToldName, "kind" | "value">,
  other: Pick<ToldName, "kind" | "value">,
): boolean => one.kind === other.kind && same(one.kind, one.value, other.value);

const isPlaceholder = ({ kind, value }: Pick<ToldName, "kind" | "value">): boolean =>
  (kind === "serial" && isPlaceholderSerial(value)) || (kind === "uuid" && !isOwnUuid(value));

const ownOf = (own: OwnNames, kind: NameKind): readonly string[] =>
  kind === "mac"
    ? own.macs
    : [kind === "serial" ? own.serial : own.systemUuid].filter((name) => name !== null);

/** What a name is to the host, at its place. Pure. */
export function standingOf(
  own: OwnNames,
  told: readonly ToldName[],
  {
    kind,
    value,
    source,
  }: Pick<ToldName, "kind" | "value"> & { readonly source: (typeof namePlaces)[number] },
): NameStanding {
  // safety: names: a MAC address of another host agrees with nothing
  if (kind === "mac" && own.sharedMacs.includes(value)) return "shared";
  if (ownOf(own, kind).some((name) => same(kind, name, value))) return "own";
  if (kind === "mac") return "added";
  // safety: names: a placeholder names no machine
  if (isPlaceholder({ kind, value })) return "placeholder";
  const isConfirmed = told.some(
    (name) =>
      name.confirmedAt !== null &&
      name.kind === kind &&
      same(kind, name.value, value) &&
      // What an agent told counts for no BMC, so there a person may confirm it once more.
      (source !== "bmc" || name.source === "bmc"),
  );
  return isConfirmed ? "confirmed" : "differs";
}

/** What a source told last, all of it at one time. */
const newest = (told: readonly ToldName[], source: NameSource): readonly ToldName[] => {
  const ofSource = told.filter((name) => name.source === source);
  const lastMs = Math.max(...ofSource.map(({ lastSeenAt }) => lastSeenAt.getTime()));
  return ofSource.filter(({ lastSeenAt }) => lastSeenAt.getTime() === lastMs);
};

export interface PendingNames {
  readonly source: NameSource;
  /** What it told last that is no name of the host, to be confirmed. */
  readonly names: readonly ToldName[];
  /** What it told at the same time that is one. */
  readonly agrees: readonly ToldName[];
}

/** What a person may confirm, by source. Pure. */
export function pendingNames(own: OwnNames, told: readonly ToldName[]): readonly PendingNames[] {
  return nameSources.flatMap((source) => {
    // safety: names: what firmware tells a boot server is never confirmed
    if (!confirmable.has(source)) return [];
    const last = newest(told, source).map((name) => ({ name, standing: standingOf(own, told, name) }));
    const names = last.flatMap(({ name, standing }) => (standing === "differs" ? [name] : []));
    const agrees = last.flatMap(({ name, standing }) =>
      standing === "own" || standing === "confirmed" ? [name] : [],
    );
    return names.length === 0 ? [] : [{ source, names, agrees }];
  });
}

/**
 * Whether something that the source told with the names shows that they are the host's. Anything in the provisioning network can register with a MAC
 * address that it has heard, so an agent needs a serial number or UUID of the host. Pure.
 */
export function isBound({ source, agrees }: PendingNames): boolean {
  // safety: names: an agent that tells no more than a MAC address may be any machine
  if (source === "agent" && agrees.every(({ kind }) => kind === "mac")) return false;
  return agrees.length > 0;
}

/** Binds a confirmation to exactly these names. Pure. */
export const namesDigest = (hostId: string, pending: readonly PendingNames[]): string =>
  evidenceDigest({
    hostId,
    pending: pending.map(({ source, names, agrees }) => ({
      source,
      names: names.map(nameText).sort(),
      agrees: agrees.map(nameText).sort(),
    })),
  });

export const sourceWords: Readonly<Record<NameSource, string>> = {
  bmc: "BMC",
  firmware: "firmware at boot",
  agent: "agent",
};

/** Where a shown name comes from. */
export const namePlaces = ["host", "list", ...nameSources] as const;
export const placeWords: Readonly<Record<(typeof namePlaces)[number], string>> = {
  host: "host",
  list: "list",
  ...sourceWords,
};

export const kindWords: Readonly<Record<NameKind, string>> = {
  serial: "serial",
  uuid: "system UUID",
  mac: "MAC",
};

/** Such as "serial ABC123". Pure. */
export const nameText = ({ kind, value }: Pick<ToldName, "kind" | "value">): string =>
  `${kindWords[kind]} ${value}`;

export const standingWords: Readonly<Record<NameStanding, string>> = {
  own: "the host's",
  confirmed: "confirmed",
  placeholder: "placeholder: names no machine",
  differs: "not the host's",
  added: "not a port of the host",
  shared: "of another host, too",
};

/** What withdrawing means, on the page and in the command line. */
export const withdrawText =
  "From now on, a BMC or an agent that tells this name is not this host: the host stops when it is next read or boots. A Ready host that is not in use leaves allocation and is checked again. Names that were confirmed because this one agreed stay confirmed: withdraw each of them.";

/** What the act means, on the page and in the command line. */
export const confirmText =
  "From now on, whoever has these names counts as this host: the BMC by what it told, the agent by all of them. The host keeps its present names. Each of them can be withdrawn later, and the host is then checked again. Confirm only after a change of its firmware or mainboard that you know of.";
