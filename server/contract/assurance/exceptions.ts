// Exceptions: one gate or one drive of one reclamation, let through by two people (docs/adr/0105-exceptions-and-dispositions.md).
import { z } from "zod";
import { confirmMethods } from "@/server/domain/access/passkeys";
import { gateNames } from "@/server/domain/reclamations/gates/gate-names";
import { exceptionStandings } from "@/server/domain/reclamations/gates/exception-standing";
import { accepted } from "@/server/contract/hosts/host";
import { act, hostId, list, paging, read, reason, record } from "@/server/contract/define";

const words = z.string().trim().min(1, "say it in words").max(2000, "at most 2000 characters");

const exceptionLine = record({
  id: z.string(),
  host: record({ id: z.string(), name: z.string() }),
  site: z.string().nullable(),
  reclamationId: z.string(),
  gate: z.enum(gateNames),
  /** Serial number of the drive that is let through; null for the whole gate. */
  drive: z.string().nullable(),
  standing: z.enum(exceptionStandings),
  reason: z.string(),
  measure: z.string(),
  risk: z.string(),
  /** What the gate reported when the exception was requested. */
  found: z.string(),
  validUntil: z.date(),
  askedBy: z.string(),
  askedAt: z.date(),
  decidedBy: z.string().nullable(),
  decidedAt: z.date().nullable(),
  decidedReason: z.string().nullable(),
  decidedWith: z.enum(confirmMethods).nullable(),
  voided: z.string().nullable(),
  /** When a later reclamation made the host Ready without it; null if none has. */
  supersededAt: z.date().nullable(),
  /** Id of the request, for `approvals.decide`. */
  approvalId: z.string(),
  evidence: z.string(),
  /** The caller asked for it. */
  own: z.boolean(),
  /** The caller may decide: has the right, and is not the one who asked. */
  mayDecide: z.boolean(),
  /** It is pending or in force, and the caller may withdraw it. */
  mayWithdraw: z.boolean(),
});
export type ExceptionLine = z.infer<typeof exceptionLine>;

const exceptionPage = record({ items: list(exceptionLine), nextCursor: z.string().nullable() });
export type ExceptionPage = z.infer<typeof exceptionPage>;

/** Only gates and drives that somebody may let through. */
const askable = record({
  gate: z.enum(gateNames),
  /** A drive that is not sanitized; null for the whole gate. */
  drive: record({ serial: z.string(), model: z.string() }).nullable(),
  /** What is reported about it now; the request is bound to that. */
  found: z.string(),
});
export type AskableException = z.infer<typeof askable>;

export const exceptions = {
  list: read({
    title: "exceptions: gates and drives that two people let through, and requests for them",
    right: "assurance.read",
    input: z.strictObject({
      hostId: hostId.nullable().default(null),
      /** Includes those that expired, are no longer needed, or are void. */
      all: z.boolean().default(false),
      /** Only those that expired, were rejected, are no longer needed, or are void. */
      over: z.boolean().default(false),
      ...paging(200, 100),
    }),
    output: exceptionPage,
  }),
  askable: read({
    title: "the gates and drives of a host that somebody may ask an exception for now",
    right: "assurance.askException",
    input: z.strictObject({ hostId }),
    output: list(askable),
  }),
  ask: act({
    title: "asks for an exception: another person, a provider admin, decides on it",
    right: "assurance.askException",
    action: "exception.ask",
    input: z.strictObject({
      hostId,
      gate: z.enum(gateNames),
      /** For `storageSanitized`: serial number of the drive. */
      drive: z.string().trim().min(1).max(256).optional(),
      reason,
      /** What is done in place of the proof, and the remaining risk. */
      measure: words,
      risk: words,
      validUntil: z.coerce.date(),
    }),
    output: record({ id: z.string(), approvalId: z.string(), evidence: z.string() }),
  }),
  withdraw: act({
    title: "takes an exception back: a free host is checked again",
    right: "assurance.askException",
    action: "exception.withdraw",
    input: z.strictObject({ id: z.guid("must be the id of an exception"), reason }),
    output: accepted,
  }),
};
