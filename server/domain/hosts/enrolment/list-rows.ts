// The rows of a list, from a CSV file or a workbook: the first names the columns, each other one is a host.
import {
  columnName,
  columnNames,
  columnOf,
  enrolmentColumns,
} from "@/server/domain/hosts/enrolment/host-line";
import type { EnrolmentColumn, HostTexts, LineFault } from "@/server/domain/hosts/enrolment/host-line";

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
export type ParsedList =
  | {
      readonly ok: true;
      readonly lines: readonly FileLine[];
      /** What of the file was not read; null: everything was. */
      readonly notice: string | null;
    }
  | { readonly ok: false; readonly faults: readonly LineFault[] };

/** A cell that does not have the value that was entered, with what happened to it. It may be in a column that takes it as it is. */
export interface ChangedCell {
  readonly text: string;
  readonly changed: string;
}

export interface ListRow {
  /** From 1, as the file counts. */
  readonly line: number;
  readonly cells: readonly (string | ChangedCell)[];
}

const textOf = (cell: string | ChangedCell | undefined): string =>
  typeof cell === "object" ? cell.text : (cell ?? "");

/** A list that cannot be read at all. Pure. */
export const unreadable = (message: string, line = 1): ParsedList => ({
  ok: false,
  faults: [{ line, column: "", message }],
});

/** Without the empty cells at the end, which spreadsheets write beside a table. */
const filled = (cells: ListRow["cells"]): ListRow["cells"] =>
  cells.slice(0, cells.findLastIndex((cell) => textOf(cell).trim() !== "") + 1);

/** Column names, and what is wrong with the header. */
function readHead({ line, cells }: ListRow): {
  readonly columns: readonly (EnrolmentColumn | null)[];
  readonly faults: readonly LineFault[];
} {
  const names = filled(cells).map((cell) => columnName(textOf(cell)));
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

/** Numbers that people count by hand: a spreadsheet does not change them unless they have leading zeros, which these seldom have. */
const mayBeNumbers: ReadonlySet<EnrolmentColumn> = new Set(["rack", "slot"]);

const isTaken = (column: EnrolmentColumn, { text }: ChangedCell): boolean =>
  mayBeNumbers.has(column) && /^\d{1,9}$/.test(text);

function toLine(columns: readonly (EnrolmentColumn | null)[], { line, cells }: ListRow): FileLine {
  const texts: { -readonly [Member in keyof HostTexts]: HostTexts[Member] } = {};
  const faults: LineFault[] = [];
  for (const [index, column] of columns.entries())
    if (column !== null) {
      const cell = cells[index];
      texts[enrolmentColumns[column]] = textOf(cell);
      if (typeof cell === "object" && !isTaken(column, cell))
        faults.push({ line, column, message: cell.changed });
    }
  const count = Math.max(filled(cells).length, Math.min(cells.length, columns.length));
  const message = `has ${count} cells, but the header has ${columns.length}: put cells that contain a comma in quotes`;
  return {
    line,
    texts,
    faults: count === columns.length ? faults : [{ line, column: "", message }, ...faults],
  };
}

/** Never throws. Pure. */
export function hostsOfRows([head, ...rest]: readonly ListRow[], notice: string | null): ParsedList {
  if (head === undefined) return unreadable("the file is empty");
  const { columns, faults } = readHead(head);
  if (faults.length > 0) return { ok: false, faults };
  if (rest.length === 0) return unreadable("no host after the header", head.line);
  const tooMany = rest[maxHosts];
  if (tooMany !== undefined) return unreadable(`more than ${maxHosts} hosts: split the file`, tooMany.line);
  return { ok: true, lines: rest.map((row) => toLine(columns, row)), notice };
}
