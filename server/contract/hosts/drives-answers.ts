// What people read about one drive: where it was, what was done to it, and the result (docs/design/console.md#pages).
import { z } from "zod";
import { passedOverLine, deviceTryLine } from "@/server/contract/reclamations/reclamation";
import { list, record } from "@/server/contract/define";

/** A known host, or one that left the fleet. */
const driveHost = record({
  id: z.string(),
  /** Null if no record names it. */
  name: z.string().nullable(),
  gone: z.boolean(),
});
export type DriveHost = z.infer<typeof driveHost>;

const driveStay = record({
  host: driveHost,
  slot: z.string().nullable(),
  /** The first inventory that listed the drive, or the first result. */
  from: z.date(),
  /** The first inventory that no longer listed it; null while it is listed. */
  until: z.date().nullable(),
  /** For a listed drive: when an inventory that lists it was last read. */
  readAt: z.date().nullable(),
  /** When a newer inventory of the host that does not list it was read; null if there is none. */
  lackedAt: z.date().nullable(),
});
export type DriveStay = z.infer<typeof driveStay>;

const eraseHead = {
  at: z.date(),
  /** `sanitized` or `failed`. */
  verdict: z.string(),
  technique: z.string().nullable(),
  level: z.string(),
};

const driveFacts = {
  id: z.string(),
  serial: z.string(),
  model: z.string(),
  /** As last read. */
  firmware: z.string().nullable(),
  media: z.string().nullable(),
  capacityBytes: z.string().nullable(),
};

export const driveRow = record({
  ...driveFacts,
  /** Where it is listed now, or was last; null if no inventory ever listed it. */
  stay: driveStay.nullable(),
  /** How many hosts it has been in. */
  hosts: z.number(),
  /** From its newest result. */
  erase: record(eraseHead).nullable(),
  /** What a person stated became of the drive. */
  disposition: z.string().nullable(),
});
export type DriveRow = z.infer<typeof driveRow>;

export const driveList = record({
  rows: list(driveRow),
  /** How many drives match; only with the first page. */
  total: z.number().nullable(),
  nextCursor: z.string().nullable(),
});
export type DriveList = z.infer<typeof driveList>;

export const driveMatch = record({ id: z.string(), serial: z.string(), model: z.string() });
export type DriveMatch = z.infer<typeof driveMatch>;

export const driveErase = record({
  ...eraseHead,
  /** Id of the device result. */
  id: z.string(),
  host: driveHost,
  reclamation: record({ id: z.string(), number: z.string() }),
  /** `interface.step` */
  step: z.string(),
  attempt: z.number(),
  /** Why the result counts, or why not. */
  reason: z.string(),
  standard: z.string(),
  /** Version of the table of techniques that the result was judged by. */
  techniqueTable: z.number(),
  verification: z.string(),
  firmware: z.string().nullable(),
  /** False if another version wrote the report, so that tries and passed-over techniques are not known here. */
  readable: z.boolean(),
  tries: list(deviceTryLine),
  passedOver: list(passedOverLine),
});
export type DriveErase = z.infer<typeof driveErase>;

export const driveDetail = record({
  ...driveFacts,
  manufacturer: z.string().nullable(),
  wwn: z.string().nullable(),
  transport: z.string().nullable(),
  firstSeenAt: z.date(),
  /** Other drives with the same serial number. */
  twins: list(driveMatch),
  /** Newest first, and whether there are more. */
  stays: list(driveStay),
  moreStays: z.boolean(),
  /** Newest first, and how many there are in all. */
  erases: list(driveErase),
  erasesTotal: z.number(),
  /** Failures of hosts that this drive caused, newest first, and whether there are more. */
  failures: list(record({ host: driveHost, at: z.date(), state: z.string(), words: z.string() })),
  moreFailures: z.boolean(),
  dispositions: list(
    record({
      host: driveHost,
      at: z.date(),
      words: z.string(),
      reason: z.string(),
      by: z.string(),
      slot: z.string().nullable(),
      withdrawn: record({ at: z.date(), reason: z.string().nullable() }).nullable(),
    }),
  ),
  /** Sanitizations owed for the drive, by the chassis that owes them. */
  debts: list(record({ chassisSerial: z.string(), since: z.date() })),
});
export type DriveDetail = z.infer<typeof driveDetail>;
