// What becomes of a machine that a tenant gave up, in the tenant's words, and at the end what is on record of it (docs/instances.md#after-a-release).
import { z } from "zod";
import { list, record } from "@/server/contract/define";

/** `open`: on its way. `proven`: every condition of its debt held. `unproven`: it left the fleet before. `nothing`: there was no machine behind it. */
export const receiptResults = ["open", "proven", "unproven", "nothing"] as const;
export type ReceiptResult = (typeof receiptResults)[number];

/** `never`: it did not come to that. */
const stepStates = ["done", "current", "ahead", "never"] as const;

const receiptStep = record({
  step: z.enum(["released", "offNetwork", "erased", "checked"]),
  state: z.enum(stepStates),
  /** What it is, and how far it is, in a sentence. */
  words: z.string(),
  /** When it was over. */
  at: z.date().nullable(),
});
export type ReceiptStep = z.infer<typeof receiptStep>;

/** `stated`: a person of the provider stated what became of a drive that nobody finds. `untreated`: the machine was proven without a result of it. */
export const receiptDriveStates = ["erased", "erasing", "waiting", "missing", "stated", "untreated"] as const;
export type ReceiptDriveState = (typeof receiptDriveStates)[number];

/** A drive that was in the machine when the tenant gave it up. */
const receiptDrive = record({
  serial: z.string(),
  model: z.string().nullable(),
  media: z.string().nullable(),
  /** A whole number, as text. */
  capacityBytes: z.string().nullable(),
  state: z.enum(receiptDriveStates),
  /** While it is erased, where the drive tells. */
  percent: z.number().nullable(),
  technique: z.string().nullable(),
  /** `clear` or `purge`, by the named standard and the version of the table of techniques. */
  level: z.string().nullable(),
  standard: z.string().nullable(),
  techniqueTable: z.number().nullable(),
  /** What reading it back showed. */
  verification: z.string().nullable(),
  /** What the provider stated. */
  statement: z.string().nullable(),
  at: z.date().nullable(),
});
export type ReceiptDrive = z.infer<typeof receiptDrive>;

const receiptCheck = record({
  gate: z.string(),
  meaning: z.string(),
  /** `notRequired`: the site does without it. `notChecked`: it could not be checked. */
  status: z.enum(["satisfied", "excepted", "notRequired", "notChecked"]),
});
export type ReceiptCheck = z.infer<typeof receiptCheck>;

export const instanceReceipt = record({
  /** Of this document; raised when a member changes its meaning. */
  format: z.literal(1),
  instance: record({
    id: z.string(),
    name: z.string(),
    createdAt: z.date(),
    releaseRequestedAt: z.date().nullable(),
    endedAt: z.date().nullable(),
  }),
  tenant: record({ org: z.string(), name: z.string() }),
  /** As its tenant knew it. */
  machine: record({ id: z.string(), site: z.string().nullable(), sku: z.string().nullable() }),
  result: z.enum(receiptResults),
  /** The result in a sentence. */
  says: z.string(),
  /** The provider has to look at the machine before it goes on. */
  attention: z.boolean(),
  provenAt: z.date().nullable(),
  /** By which the provider finds its record; null: none has begun. */
  reclamationId: z.string().nullable(),
  steps: list(receiptStep),
  drives: list(receiptDrive),
  /** Once it is proven. */
  checks: list(receiptCheck),
  /** What it does not prove. */
  limits: list(z.string()),
});
export type InstanceReceipt = z.infer<typeof instanceReceipt>;
