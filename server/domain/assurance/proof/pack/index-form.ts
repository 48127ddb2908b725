// The index of a pack: every return that was selected, also those that are not proven, with the file of each. Its digest is in the audit log.
import { z } from "zod";
import { standings } from "@/server/domain/assurance/standing";

const text = z.string().max(2_000);
const maybe = text.nullable();
const moment = z.iso.datetime().nullable();

/** More than this are not put into one pack, so that index and archive have a known size. */
export const maxReturns = 10_000;

export const indexReturn = z.strictObject({
  id: z.guid(),
  reclamation: maybe,
  kind: text,
  returnedAt: z.iso.datetime(),
  endedAt: moment,
  hostId: z.guid(),
  host: maybe,
  serial: maybe,
  site: maybe,
  sku: maybe,
  tenant: maybe,
  instance: maybe,
  standing: z.enum(standings),
  drives: z.array(text).max(10_000),
  /** Null: there is no signed file yet, or never one. */
  certificate: z
    .strictObject({
      id: z.guid(),
      number: z.string().regex(/^C-\d{1,15}$/),
      signedAt: z.iso.datetime(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    })
    .nullable(),
});
export type IndexReturn = z.infer<typeof indexReturn>;

export const packIndex = z.strictObject({
  format: z.literal("urn:reclaim:proof-pack:1"),
  /** Name of the audit log. */
  log: text,
  /** What was asked for, in words. */
  selection: text,
  selectedAt: z.iso.datetime(),
  /** With a PDF of each certificate. */
  pdf: z.boolean(),
  /** The oldest first. */
  returns: z.array(indexReturn).max(maxReturns),
});
export type PackIndex = z.infer<typeof packIndex>;

export const indexText = (index: PackIndex): string => `${JSON.stringify(index, null, 1)}\n`;

/** A spreadsheet would run a cell that begins like a formula, so it gets an apostrophe, as in our other CSV files. */
function cell(value: string): string {
  const safe = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const columns: readonly (readonly [string, (row: IndexReturn) => string])[] = [
  ["returned", (row) => row.returnedAt],
  ["ended", (row) => row.endedAt ?? ""],
  ["standing", (row) => row.standing],
  ["certificate", (row) => row.certificate?.number ?? ""],
  ["signed", (row) => row.certificate?.signedAt ?? ""],
  ["host", (row) => row.host ?? row.hostId],
  ["serial", (row) => row.serial ?? ""],
  ["site", (row) => row.site ?? ""],
  ["sku", (row) => row.sku ?? ""],
  ["tenant", (row) => row.tenant ?? ""],
  ["instance", (row) => row.instance ?? ""],
  ["reclamation", (row) => row.reclamation ?? ""],
  ["kind", (row) => row.kind],
  ["drives", (row) => row.drives.join(" ")],
  ["certificateId", (row) => row.certificate?.id ?? ""],
  ["sha256", (row) => row.certificate?.sha256 ?? ""],
];

/** The same as a table, made from the index alone. Pure. */
export const indexCsv = ({ returns }: PackIndex): string =>
  [columns.map(([name]) => name), ...returns.map((row) => columns.map(([, value]) => cell(value(row))))]
    .map((cells) => `${cells.join(",")}\n`)
    .join("");
