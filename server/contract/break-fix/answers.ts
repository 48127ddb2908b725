// What people and programs read about tickets (docs/repair.md#tickets).
import { z } from "zod";
import { list, record, tone } from "@/server/contract/define";
import { ticketActions, ticketCategories } from "@/server/domain/break-fix/categories";
import {
  replacementWish,
  ticketAudiences,
  ticketAuthors,
  ticketOrigins,
  ticketOutcomes,
  ticketStates,
} from "@/server/domain/break-fix/ticket";

/** Also the fields that are read for it (`usecases/break-fix/ticket-views.ts`). */
export const ticketFields = {
  id: z.string(),
  /** What people call the ticket; random, and never changes. */
  ref: z.string(),
  /** The machine's stable id. */
  hostId: z.string(),
  /** Name, serial and rack, for the provider and for whoever repairs the machine; null for other readers. */
  host: z.string().nullable(),
  serial: z.string().nullable(),
  rack: z.string().nullable(),
  site: z.string().nullable(),
  /** The tenant that the ticket belongs to besides the provider; null if none, or if the reader may not know. */
  tenant: z.string().nullable(),
  /** The tenant's account, as NICo names it. */
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
  /** Reference in another system of the provider. */
  externalRef: z.string().nullable(),
  ...replacementWish,
  replacementHostId: z.string().nullable(),
  replacementInstanceId: z.string().nullable(),
  openedBy: z.string(),
  openedAt: z.date(),
  updatedAt: z.date(),
  closedAt: z.date().nullable(),
};
export const ticketRow = record(ticketFields);
export type TicketRow = z.infer<typeof ticketRow>;

export const ticketList = record({
  rows: list(ticketRow),
  nextCursor: z.string().nullable(),
  /** Only with the first page. */
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
  ...ticketFields,
  details: z.string(),
  parts: list(
    record({ kind: z.enum(ticketCategories), serial: z.string(), firmware: z.string(), slot: z.string() }),
  ),
  updates: list(update),
  /** The role in which the reader may write to it; null if the reader may not. */
  mayWriteAs: z.enum(ticketAuthors).nullable(),
});
export type TicketDetail = z.infer<typeof ticketDetail>;
