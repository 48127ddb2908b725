// Tickets: their fields, who may change which, and how a ticket ends (docs/repair.md#tickets). Pure.
import { z } from "zod";
import {
  actionLabels,
  categoryLabels,
  ticketActions,
  ticketCategories,
} from "@/server/domain/break-fix/categories";
import type { Tone } from "@/server/domain/lifecycle/state-rows/state-row";

export const ticketStates = ["open", "inProgress", "waiting", "repaired", "closed"] as const;
export type TicketState = (typeof ticketStates)[number];

/** Labels and tones. */
export const ticketStateTable = {
  open: { words: "open", tone: "attention" },
  inProgress: { words: "being worked on", tone: "working" },
  waiting: { words: "waiting", tone: "waiting" },
  repaired: { words: "repaired, being checked", tone: "working" },
  closed: { words: "closed", tone: "neutral" },
} satisfies Record<TicketState, { readonly words: string; readonly tone: Tone }>;

export const ticketOutcomes = ["returned", "replaced", "retired", "noFault", "withdrawn"] as const;
export type TicketOutcome = (typeof ticketOutcomes)[number];

export const outcomeLabels = {
  returned: "the machine is back in service",
  replaced: "replaced by another machine",
  retired: "the machine is retired",
  noFault: "no fault found",
  withdrawn: "withdrawn",
} satisfies Record<TicketOutcome, string>;

export const ticketOrigins = ["operator", "tenant", "release", "onlineRepair"] as const;
export type TicketOrigin = (typeof ticketOrigins)[number];

export const ticketAudiences = ["shared", "internal"] as const;
export type TicketAudience = (typeof ticketAudiences)[number];

/** The role in which somebody acts on a ticket. `system`: Reclaim itself, because something happened to the host. */
export const ticketAuthors = ["provider", "tenant", "repairTenant", "system"] as const;
export type TicketAuthor = (typeof ticketAuthors)[number];

const storable = /^(?:[^\p{Cc}\p{Cs}]|[\n\r\t])*$/u;
const noControl = "must not have control characters";

/** Text that people write in a ticket or a notice. */
export const ticketText = (most: number) =>
  z.string().trim().max(most, `at most ${most} characters`).regex(storable, noControl);
export const neededText = (most: number) => ticketText(most).min(1, "a value is required");

export const ticketPart = z.strictObject({
  kind: z.enum(ticketCategories),
  serial: neededText(128),
  /** The part's firmware; empty: unknown. */
  firmware: ticketText(128).default(""),
  slot: ticketText(128).default(""),
});
/** How many parts a ticket can name. */
export const maxParts = 64;
export const ticketParts = z.array(ticketPart).max(maxParts, `at most ${maxParts} parts`);
export type TicketPart = z.output<typeof ticketPart>;

/** The tenant's wish for another machine: of a ticket, and of the release that opens one. */
export const replacementWish = { replacementWanted: z.boolean() };
export const replacementWishInput = { replacementWanted: z.boolean().default(false) };
export interface ReplacementWish {
  readonly replacementWanted: boolean;
}

export const noWish: ReplacementWish = { replacementWanted: false };
export const wished: ReplacementWish = { replacementWanted: true };

/** What a ticket must be told that has not wished for it yet. A wish stays, also if a later report does not repeat it. */
export const newWish = (
  { replacementWanted }: ReplacementWish,
  before: ReplacementWish,
): Partial<ReplacementWish> => (replacementWanted && !before.replacementWanted ? { replacementWanted } : {});

/** Why a release cannot pass the wish on; null: it can, or there is none. `reports`: it reports an issue, whose ticket takes it. */
export const wishRefusal = ({ replacementWanted }: ReplacementWish, reports: boolean) =>
  replacementWanted && !reports
    ? ({
        reason:
          "A replacement can only be requested with an issue: describe what is wrong with this machine.",
        field: "replacementWanted",
      } as const)
    : null;

/** Reference in another system of the provider. */
export const externalRef = neededText(128).nullable();

/** Members that an update may change. Members that are left out stay as they are. */
export const ticketChange = {
  state: z.enum(ticketStates).exclude(["closed"]).optional(),
  category: z.enum(ticketCategories).optional(),
  action: z.enum(ticketActions).optional(),
  parts: ticketParts.optional(),
  externalRef: externalRef.optional(),
  replacementWanted: z.boolean().optional(),
};
const changeSchema = z.object(ticketChange);
export type TicketChange = Readonly<z.output<typeof changeSchema>>;
const ticketMembers = changeSchema.keyof().options;

/** Who may change which member. Whether to replace a machine is the tenant's wish; the provider may set it if the tenant said so elsewhere. */
const mayChange = {
  provider: ticketMembers,
  tenant: ["replacementWanted"],
  repairTenant: ["state", "category", "action", "parts"],
  system: ticketMembers,
} satisfies Record<TicketAuthor, readonly (keyof TicketChange)[]>;

/** What readers in a role do not see of a ticket, and what they get instead: a tenant not the machine, a repair tenant not whose it was. */
export const hiddenFrom = {
  provider: {},
  system: {},
  tenant: { host: null, serial: null, rack: null, externalRef: null },
  repairTenant: {
    ...{ tenant: null, tenantOrg: null, instanceId: null, instance: null, handedOverAt: null },
    ...{ externalRef: null, replacementWanted: false, replacementHostId: null, replacementInstanceId: null },
  },
} as const satisfies Record<TicketAuthor, object>;

const authorLabels = {
  provider: "the provider",
  tenant: "the tenant",
  repairTenant: "a repair tenant",
  system: "Reclaim",
} satisfies Record<TicketAuthor, string>;

interface Opening extends ReplacementWish {
  readonly internal: boolean;
  readonly externalRef: string | null;
}

/** Why a ticket may not be opened like this, with the field; null: it may. `held`: the ticket names an instance. */
export function openRefusal(
  { internal, externalRef: reference, replacementWanted }: Opening,
  { provider, held }: { readonly provider: boolean; readonly held: boolean },
): { readonly reason: string; readonly field: keyof Opening } | null {
  if (internal && !provider)
    return { reason: "Only the provider can hide a ticket from a tenant.", field: "internal" };
  if (reference !== null && !provider)
    return { reason: "Only the provider can set an external reference.", field: "externalRef" };
  return replacementWanted && !held
    ? { reason: "Nobody holds this machine, so it cannot be replaced.", field: "replacementWanted" }
    : null;
}

interface TicketFacts {
  readonly state: TicketState;
  readonly origin: TicketOrigin;
}

/** Why a change is refused; null: it is allowed. A closed ticket accepts only notes of the provider. */
export function changeRefusal(
  ticket: TicketFacts,
  author: TicketAuthor,
  change: TicketChange,
): string | null {
  const changed = ticketMembers.filter((member) => change[member] !== undefined);
  if (ticket.state === "closed") {
    if (changed.length > 0) return "The ticket is closed. Open a new one.";
    return author === "provider" ? null : "The ticket is closed.";
  }
  const allowed: readonly string[] = mayChange[author];
  const refused = changed.find((member) => !allowed.includes(member));
  return refused === undefined
    ? null
    : `${authorLabels[author]} does not change ${refused}`.replace(/^./, upper);
}

/** If a tenant writes about a machine that is reported as repaired, the ticket reopens: a person has to look, and it must not end by itself. Pure. */
export const changeByNote = (ticket: TicketFacts, author: TicketAuthor, note: string): TicketChange =>
  author === "tenant" && note !== "" && ticket.state === "repaired" ? { state: "open" } : {};

const upper = (letter: string) => letter.toUpperCase();

/** Why the ticket may not be closed this way; null: it may. A tenant can withdraw a ticket it opened itself while nobody has started on it. */
export function closeRefusal(
  ticket: TicketFacts,
  author: TicketAuthor,
  outcome: TicketOutcome,
): string | null {
  if (ticket.state === "closed") return "The ticket is already closed.";
  if (author === "provider" || author === "system") return null;
  if (author === "repairTenant")
    return "Only the provider closes tickets. Describe what you did in an update.";
  if (outcome !== "withdrawn")
    return "A tenant can only withdraw a ticket; anything else is closed by the provider.";
  if (ticket.origin !== "tenant")
    return "Only the provider can close this ticket: it came with a release or a repair, or the provider opened it.";
  return ticket.state === "open" ? null : "The provider is already working on it. Write an update instead.";
}

/** Who can read a note. Notes of the provider are internal unless marked for the tenant; those of a repair tenant are always internal. */
export function audienceOf(author: TicketAuthor, asked: TicketAudience | undefined): TicketAudience {
  if (author === "repairTenant") return "internal";
  if (author === "provider") return asked ?? "internal";
  return "shared";
}

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** Crockford's base 32, without I, L, O, U. `bytes`: ten random bytes. */
export const publicRef = (prefix: "BF" | "MN", bytes: Uint8Array): string =>
  `${prefix}-${[...bytes.slice(0, 10)].map((byte) => alphabet[byte % 32]).join("")}`;

/** What an update changed, as labels. */
export function changeLines(change: Readonly<Record<string, unknown>>): readonly string[] {
  const { state, category, action, outcome } = shownChange.parse(change);
  return [
    ...(state === undefined ? [] : [`state: ${ticketStateTable[state].words}`]),
    ...(category === undefined ? [] : [`category: ${categoryLabels[category]}`]),
    ...(action === undefined ? [] : [`action: ${actionLabels[action]}`]),
    ...(outcome === undefined ? [] : [outcomeLabels[outcome]]),
    ...("parts" in change ? ["parts"] : []),
    ...("externalRef" in change ? ["reference of another system"] : []),
    ...(change["replacementWanted"] === true ? ["replacement wanted"] : []),
    ...(change["replacementWanted"] === false ? ["no replacement wanted"] : []),
    ...(typeof change["replacementHostId"] === "string" ? ["replacement assigned"] : []),
  ];
}

/** Values of a later release are left out. */
const shownChange = z.object({
  state: z.enum(ticketStates).optional().catch(undefined),
  category: z.enum(ticketCategories).optional().catch(undefined),
  action: z.enum(ticketActions).optional().catch(undefined),
  outcome: z.enum(ticketOutcomes).optional().catch(undefined),
});
