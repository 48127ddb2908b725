// Parses a CSV file (RFC 4180) into the cells of its hosts, each with its line number.
import { CsvError, parse } from "csv-parse/sync";
import type { LineFault } from "@/server/domain/hosts/enrolment/host-line";
import { hostsOfRows, unreadable } from "@/server/domain/hosts/enrolment/list-rows";
import type { ParsedList } from "@/server/domain/hosts/enrolment/list-rows";
import { notCsv, separated } from "@/server/domain/hosts/enrolment/spreadsheet";

/** A request has at most 1 MiB. */
export const longestCsv = 1_000_000;

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

/** Never throws, whatever the text contains. Pure. */
export function parseHostsCsv(text: string): ParsedList {
  const unread = notCsv(text);
  if (unread !== null) return unreadable(`the file ${unread}`);
  const rows = readRows(text);
  return "message" in rows ? { ok: false, faults: [rows] } : hostsOfRows(rows, null);
}
