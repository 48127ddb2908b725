// Tickets: what one may say, who may change what of it, and how it ends (docs/repair.md#tickets). Pure.
import { z } from "zod";
import {
  actionWords,
  categoryWords,
  ticketActions,
  ticketCategories,
} from "@/server/domain/break-fix/categories";
import type { TicketAction, TicketCategory } from "@/server/domain/break-fix/categories";
import type { Tone } from "@/server/domain/lifecycle/state-rows/state-row";

export const ticketStates = ["open", "inProgress", "waiting", "repaired", "closed"] as const;
export type TicketState = (typeof ticketStates)[number];

/** What people read. */
export const ticketStateTable = {
  open: { words: "open", tone: "attention" },
  inProgress: { words: "being worked on", tone: "working" },
  waiting: { words: "waiting", tone: "waiting" },
  repaired: { words: "repaired, being checked", tone: "working" },
  closed: { words: "closed", tone: "neutral" },
} satisfies Record<TicketState, { readonly words: string; readonly tone: Tone }>;

export const ticketOutcomes = ["returned", "replaced", "retired", "noFault", "withdrawn"] as const;
export type TicketOutcome = (typeof ticketOutcomes)[number];

export const outcomeWords = {
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

/** In what capacity somebody acts on a ticket. `system`: Reclaim itself, where something happened to the host. */
export const ticketAuthors = ["provider", "tenant", "repairTenant", "system"] as const;
export type TicketAuthor = (typeof ticketAuthors)[number];

const storable = /^(?:[^\p{Cc}\p{Cs}]|[\n\r\t])*$/u;
const noControl = "must not have control characters";

/** A text that people write on a ticket or a notice. */
export const ticketText = (most: number) =>
  z.string().trim().max(most, `at most ${most} characters`).regex(storable, noControl);
export const neededText = (most: number) => ticketText(most).min(1, "a value is required");

export const ticketPart = z.strictObject({
  kind: z.enum(ticketCategories),
  serial: neededText(128),
  /** What it ran; empty: nobody knows. */
  firmware: ticketText(128).default(""),
  slot: ticketText(128).default(""),
});
export const ticketParts = z.array(ticketPart).max(64, "at most 64 parts");
export type TicketPart = z.output<typeof ticketPart>;

/** Members that an update may change. A member that is left out stays. */
export interface TicketChange {
  readonly state?: Exclude<TicketState, "closed"> | undefined;
  readonly category?: TicketCategory | undefined;
  readonly action?: TicketAction | undefined;
  readonly parts?: readonly TicketPart[] | undefined;
  readonly externalRef?: string | null | undefined;
  readonly replacementWanted?: boolean | undefined;
}
export const ticketMembers = [
  "state",
  "category",
  "action",
  "parts",
  "externalRef",
  "replacementWanted",
] as const satisfies readonly (keyof TicketChange)[];

/** Who may change which member. Whether a machine is to be replaced is its tenant's wish, and the provider's where it was told otherwise. */
const mayChange = {
  provider: ticketMembers,
  tenant: ["replacementWanted"],
  repairTenant: ["state", "category", "action", "parts"],
  system: ticketMembers,
} satisfies Record<TicketAuthor, readonly (keyof TicketChange)[]>;

const authorWords = {
  provider: "the provider",
  tenant: "the tenant",
  repairTenant: "a repair tenant",
  system: "Reclaim",
} satisfies Record<TicketAuthor, string>;

interface TicketFacts {
  readonly state: TicketState;
  readonly origin: TicketOrigin;
}

/** Why a change is refused; null: it may be made. What is closed takes notes of the provider and nothing else. */
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
    : `${authorWords[author]} does not change ${refused}`.replace(/^./, upper);
}

/** A tenant that writes of a machine that is said to be repaired is not done with it: a person looks, and the ticket does not end by itself. Pure. */
export const changeByNote = (ticket: TicketFacts, author: TicketAuthor, note: string): TicketChange =>
  author === "tenant" && note !== "" && ticket.state === "repaired" ? { state: "open" } : {};

const upper = (letter: string) => letter.toUpperCase();

/** Why it is not closed so; null: it is. A tenant takes back what it opened itself, while nobody has begun. */
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

/** What a repair tenant and the provider write is internal unless it is said to be for the tenant; a repair tenant speaks to the provider only. */
export function audienceOf(author: TicketAuthor, asked: TicketAudience | undefined): TicketAudience {
  if (author === "repairTenant") return "internal";
  if (author === "provider") return asked ?? "internal";
  return "shared";
}

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** Crockford's base 32: no I, L, O, U. `bytes`: ten random ones. */
export const publicRef = (prefix: "BF" | "MN", bytes: Uint8Array): string =>
  `${prefix}-${[...bytes.slice(0, 10)].map((byte) => alphabet[byte % 32]).join("")}`;

/** What an update changed, in words. */
export function changeWords(change: Readonly<Record<string, unknown>>): readonly string[] {
  const { state, category, action, outcome } = shownChange.parse(change);
  return [
    ...(state === undefined ? [] : [`state: ${ticketStateTable[state].words}`]),
    ...(category === undefined ? [] : [`category: ${categoryWords[category]}`]),
    ...(action === undefined ? [] : [`action: ${actionWords[action]}`]),
    ...(outcome === undefined ? [] : [outcomeWords[outcome]]),
    ...("parts" in change ? ["parts"] : []),
    ...("externalRef" in change ? ["reference of another system"] : []),
    ...(change["replacementWanted"] === true ? ["replacement wanted"] : []),
    ...(change["replacementWanted"] === false ? ["no replacement wanted"] : []),
    ...(typeof change["replacementHostId"] === "string" ? ["replacement assigned"] : []),
  ];
}

/** What a later release wrote is left out. */
const shownChange = z.object({
  state: z.enum(ticketStates).optional().catch(undefined),
  category: z.enum(ticketCategories).optional().catch(undefined),
  action: z.enum(ticketActions).optional().catch(undefined),
  outcome: z.enum(ticketOutcomes).optional().catch(undefined),
});
