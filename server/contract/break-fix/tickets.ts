// Tickets: what is wrong with a machine, what was done about it, and how it ended (docs/repair.md#tickets).
import { z } from "zod";
import { ticketDetail, ticketList } from "@/server/contract/break-fix/answers";
import { act, hostId, paging, read, record } from "@/server/contract/define";
import { ticketActions, ticketCategories } from "@/server/domain/break-fix/categories";
import {
  externalRef,
  replacementWishInput,
  ticketChange,
  neededText,
  ticketAudiences,
  ticketOutcomes,
  ticketParts,
  ticketText,
} from "@/server/domain/break-fix/ticket";
import { issueLimits } from "@/server/domain/repair/health-issue";

/** A reference such as `BF-7K3Q9DX2M1`, or an id. */
const ticket = z.string().trim().min(1).max(64);
const note = ticketText(8192);

const opened = record({ id: z.string(), ref: z.string() });

export const tickets = {
  list: read({
    title: "the tickets, newest first, page by page",
    right: "ticket.read",
    input: z.strictObject({
      status: z.enum(["open", "closed", "all"]).default("open"),
      /** Part of a reference, a summary or a host name. */
      filter: z.string().trim().max(200).default(""),
      category: z.enum(ticketCategories).optional(),
      hostId: hostId.optional(),
      ...paging(200, 100),
    }),
    output: ticketList,
  }),
  get: read({
    title: "one ticket with its updates",
    right: "ticket.read",
    input: z.strictObject({ ticket }),
    output: ticketDetail,
  }),
  open: act({
    title: "opens a ticket for a machine: the provider for any, a tenant for one it holds",
    right: "ticket.open",
    action: "ticket.open",
    /** A host, or an instance, whose host is meant. */
    input: z.strictObject({
      hostId: hostId.optional(),
      instanceId: z.guid("must be the id of an instance").optional(),
      category: z.enum(ticketCategories).default("unspecified"),
      summary: neededText(issueLimits.summary),
      details: ticketText(issueLimits.details).default(""),
      parts: ticketParts.default([]),
      externalRef: externalRef.default(null),
      ...replacementWishInput,
      /** Provider only: hidden from the tenant that has the machine. */
      internal: z.boolean().default(false),
    }),
    output: opened,
  }),
  update: act({
    title: "adds a note to a ticket, or changes its fields",
    right: "ticket.update",
    action: "ticket.update",
    input: z.strictObject({
      ticket,
      note: note.default(""),
      /** Provider only: the ticket's tenant reads `shared` updates. */
      audience: z.enum(ticketAudiences).optional(),
      ...ticketChange,
    }),
    output: opened,
  }),
  close: act({
    title: "closes a ticket with an outcome",
    right: "ticket.update",
    action: "ticket.close",
    input: z.strictObject({
      ticket,
      outcome: z.enum(ticketOutcomes),
      note: note.default(""),
      action: z.enum(ticketActions).optional(),
      /** For `replaced`: the replacement machine. */
      replacementHostId: hostId.optional(),
    }),
    output: opened,
  }),
};
