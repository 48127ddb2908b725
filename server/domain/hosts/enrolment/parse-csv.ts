// Parses a CSV file (RFC 4180) into the cells of its hosts, each with its line number.
import { CsvError, parse } from "csv-parse/sync";
import {
  columnName,
  columnNames,
  columnOf,
  enrolmentColumns,
} from "@/server/domain/hosts/enrolment/host-line";
import type { EnrolmentColumn, HostTexts, LineFault } from "@/server/domain/hosts/enrolment/host-line";
import { notCsv, separated } from "@/server/domain/hosts/enrolment/spreadsheet";

/** A request has at most 1 MiB. */
export const longestCsv = 1_000_000;
/** Longer lists have to be split into several files. */
export const maxHosts = 5_000;

/** One host of a file. */
export interface FileLine {
  readonly line: number;
  readonly texts: HostTexts;
  /** Faults of the line itself, before any cell is read. */
  readonly faults: readonly LineFault[];
}

/** `faults`: faults of the file as a whole; nothing of it is enrolled. */
export type ParsedCsv =
  | { readonly ok: true; readonly lines: readonly FileLine[] }
  | { readonly ok: false; readonly faults: readonly LineFault[] };

interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** First line of a record that ends on line `end`. Its cells may contain line breaks. */
const firstLineOf = (cells: readonly string[], end: number): number =>
  end - cells.reduce((breaks, cell) => breaks + cell.split("\n").length - 1, 0);

function readRows(given: string): readonly CsvRow[] | LineFault {
  const rows: CsvRow[] = [];
  // csv-parse counts a CRLF inside a cell as two lines.
  const { delimiter, text } = separated(given.replace(/\r\n?/g, "\n"));
  try {
    parse(text, {
      bom: true,
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      // The parser's own error messages are not used, because they quote the surrounding text, which may be a password.
      on_record: (cells: string[], { lines }) => {
        // A line of separators only is what a spreadsheet writes below a table.
        if (cells.some((cell) => cell.trim() !== "")) rows.push({ line: firstLineOf(cells, lines), cells });
        return null;
      },
    });
    return rows;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error.lines === "number" ? error.lines : 1;
    return { line, column: "", message: csvLabels[error.code] ?? "is not valid CSV: check the quotes" };
  }
}

const csvLabels: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: "unclosed quote",
  INVALID_OPENING_QUOTE: 'quote inside a cell: put the cell in quotes, and double each quote in it ("")',
  CSV_INVALID_CLOSING_QUOTE: 'text after a closing quote: double each quote inside quotes ("")',
};

/** Without the empty cells at the end, which spreadsheets write beside a table. */
const filled = (cells: readonly string[]): readonly string[] =>
  cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== "") + 1);

/** Column names, and what is wrong with the header. */
function readHead({ line, cells }: CsvRow): {
  readonly columns: readonly (EnrolmentColumn | null)[];
  readonly faults: readonly LineFault[];
} {
  const names = filled(cells).map(columnName);
  const faults = names.flatMap((name, index): LineFault[] => {
    if (columnOf(name) === null)
      return [
        {
          line,
          column: `column ${index + 1}`,
          message: `unknown column; the columns are ${columnNames.join(", ")}`,
        },
      ];
    return names.indexOf(name) === index ? [] : [{ line, column: name, message: "appears twice" }];
  });
  const missing = (["name", "bmc_address"] as const)
    .filter((name) => !names.includes(name))
    .map((column) => ({ line, column, message: "is missing: the first line must name the columns" }));
  return { columns: names.map(columnOf), faults: [...faults, ...missing] };
}

function toLine(columns: readonly (EnrolmentColumn | null)[], { line, cells }: CsvRow): FileLine {
  const texts: { -readonly [Member in keyof HostTexts]: HostTexts[Member] } = {};
  for (const [index, column] of columns.entries())
    if (column !== null) texts[enrolmentColumns[column]] = cells[index] ?? "";
  const count = Math.max(filled(cells).length, Math.min(cells.length, columns.length));
  const message = `has ${count} cells, but the header has ${columns.length}: put cells that contain a comma in quotes`;
  return { line, texts, faults: count === columns.length ? [] : [{ line, column: "", message }] };
}

/** Never throws, whatever the text contains. Pure. */
export function parseHostsCsv(text: string): ParsedCsv {
  const unread = notCsv(text);
  if (unread !== null) return { ok: false, faults: [{ line: 1, column: "", message: `the file ${unread}` }] };
  const rows = readRows(text);
  if ("message" in rows) return { ok: false, faults: [rows] };
  const [head, ...rest] = rows;
  if (head === undefined)
    return { ok: false, faults: [{ line: 1, column: "", message: "the file is empty" }] };
  const { columns, faults } = readHead(head);
  if (faults.length > 0) return { ok: false, faults };
  if (rest.length === 0)
    return { ok: false, faults: [{ line: head.line, column: "", message: "no host after the header" }] };
  const tooMany = rest[maxHosts];
  if (tooMany !== undefined)
    return {
      ok: false,
      faults: [{ line: tooMany.line, column: "", message: `more than ${maxHosts} hosts: split the file` }],
    };
  return { ok: true, lines: rest.map((row) => toLine(columns, row)) };
}
