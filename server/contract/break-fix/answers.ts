// What people and programs read of tickets (docs/repair.md#tickets).
import { z } from "zod";
import { list, record, tone } from "@/server/contract/define";
import { ticketActions, ticketCategories } from "@/server/domain/break-fix/categories";
import {
  ticketAudiences,
  ticketAuthors,
  ticketOrigins,
  ticketOutcomes,
  ticketStates,
} from "@/server/domain/break-fix/ticket";

const ticket = {
  id: z.string(),
  /** What people call it: stable, and random. */
  ref: z.string(),
  /** The machine's stable id. */
  hostId: z.string(),
  /** Of the provider and of whoever repairs it: its name, serial and rack; null: not to be known. */
  host: z.string().nullable(),
  serial: z.string().nullable(),
  rack: z.string().nullable(),
  site: z.string().nullable(),
  /** Whose it is besides the provider's; null: nobody's, or not to be known. */
  tenant: z.string().nullable(),
  /** The account as NICo names it. */
  tenantOrg: z.string().nullable(),
  instanceId: z.string().nullable(),
  instance: z.string().nullable(),
  /** When the machine went into production for its tenant. */
  handedOverAt: z.date().nullable(),
  origin: z.enum(ticketOrigins),
  category: z.enum(ticketCategories),
  categoryWords: z.string(),
  summary: z.string(),
  action: z.enum(ticketActions),
  actionWords: z.string(),
  state: z.enum(ticketStates),
  stateWords: z.string(),
  tone,
  outcome: z.enum(ticketOutcomes).nullable(),
  outcomeWords: z.string().nullable(),
  /** What another system of the provider calls it. */
  externalRef: z.string().nullable(),
  replacementWanted: z.boolean(),
  replacementHostId: z.string().nullable(),
  replacementInstanceId: z.string().nullable(),
  openedBy: z.string(),
  openedAt: z.date(),
  updatedAt: z.date(),
  closedAt: z.date().nullable(),
};
export const ticketRow = record(ticket);
export type TicketRow = z.infer<typeof ticketRow>;

export const ticketList = record({
  rows: list(ticketRow),
  nextCursor: z.string().nullable(),
  /** Of the first page. */
  total: z.number().nullable(),
});
export type TicketList = z.infer<typeof ticketList>;

const update = record({
  id: z.string(),
  at: z.date(),
  author: z.enum(ticketAuthors),
  by: z.string(),
  audience: z.enum(ticketAudiences),
  note: z.string(),
  /** What changed, in words. */
  changes: list(z.string()),
});
export type TicketUpdateLine = z.infer<typeof update>;

export const ticketDetail = record({
  ...ticket,
  details: z.string(),
  parts: list(
    record({ kind: z.enum(ticketCategories), serial: z.string(), firmware: z.string(), slot: z.string() }),
  ),
  updates: list(update),
  /** As what the reader may write to it; null: it may not. */
  mayWriteAs: z.enum(ticketAuthors).nullable(),
});
export type TicketDetail = z.infer<typeof ticketDetail>;
