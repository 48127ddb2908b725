// The kinds of things that need a person, and who has to do with each (docs/next.md).
import { reachOf } from "@/server/domain/access/access";
import type { Right } from "@/server/domain/access/access";
import { roleTable } from "@/server/domain/access/roles";
import type { Role } from "@/server/domain/access/roles";

interface KindRow {
  /** Names what is watched, such as "Brakes". */
  readonly words: string;
  /** Who may see it. */
  readonly read: Right;
  /** Who can act on it. A decision has its own right, by what is decided. */
  readonly act: Right;
  /** Set for what only the provider, or only tenants have. */
  readonly only?: "provider" | "tenant";
}

export const nextKindTable = {
  security: {
    words: "Security events",
    read: "security.read",
    act: "security.acknowledge",
    only: "provider",
  },
  failure: { words: "Failures", read: "host.list", act: "host.retry" },
  silent: { words: "BMCs and agents", read: "host.list", act: "host.retry" },
  brake: { words: "Brakes", read: "cleaning.read", act: "brake.lift" },
  overLimit: { words: "Over their limit", read: "host.list", act: "host.retry" },
  waiting: { words: "Waiting for a person", read: "host.list", act: "host.edit" },
  measurement: { words: "Measurements", read: "site.read", act: "host.retry", only: "provider" },
  decision: { words: "Decisions", read: "assurance.read", act: "assurance.sign" },
  repair: { words: "Repairs", read: "repair.read", act: "host.label" },
  lease: { words: "Repair systems", read: "host.list", act: "host.lease" },
  held: { words: "Repairs that you hold", read: "repair.read", act: "instance.create", only: "tenant" },
  webhook: { words: "Webhooks", read: "webhook.read", act: "webhook.write" },
  notice: { words: "Notices", read: "notice.read", act: "notice.acknowledge", only: "tenant" },
  ending: { words: "Ends within 7 days", read: "assurance.read", act: "assurance.askException" },
} as const satisfies Record<string, KindRow>;
export type NextKind = keyof typeof nextKindTable;

const isKind = (name: string): name is NextKind => Object.hasOwn(nextKindTable, name);
export const nextKinds: readonly NextKind[] = Object.keys(nextKindTable).filter(isKind);

/** Approved things that end within this time are listed. */
export const endingMs = 7 * 86_400_000;

/** Someone who can act on nothing reads everything that they may see. */
const onlyReads = (role: Role): boolean =>
  nextKinds.every((kind) => reachOf(role, nextKindTable[kind].act) === "none");

/** `acts`: the person can act on it. `reads`: they see it, and nobody expects an act of them. `none`: it is not on their list. Pure. */
export function part(role: Role, read: Right, act: Right): "acts" | "reads" | "none" {
  if (reachOf(role, read) === "none") return "none";
  if (reachOf(role, act) !== "none") return "acts";
  return onlyReads(role) ? "reads" : "none";
}

/** The kinds on the list of a role. Pure. */
export const kindsOf = (role: Role): readonly NextKind[] =>
  nextKinds.filter((kind) => {
    const { read, act, only }: KindRow = nextKindTable[kind];
    const hidden = only === (roleTable[role].ofTenant ? "provider" : "tenant");
    return !hidden && part(role, read, act) !== "none";
  });
