// Parses a workbook (XLSX) into the cells of its hosts, each with the number of its row. Only the first sheet that is not hidden is read.
import { hostsOfRows, unreadable } from "@/server/domain/hosts/enrolment/list-rows";
import type { ChangedCell, ListRow, ParsedList } from "@/server/domain/hosts/enrolment/list-rows";
import { readFirstSheet, WorkbookFault } from "@/server/domain/hosts/enrolment/workbook-cells";
import type { FirstSheet, WorkbookCell } from "@/server/domain/hosts/enrolment/workbook-cells";
import { formatCounted, formatList } from "@/server/domain/numbers";

const enterAgain = "format the column as text, and enter the value again";

/** What a value that is no text may have lost: a serial number its zeros, a slot everything that was not a date. */
const changes = {
  number: `is a number, and may have lost zeros or digits: ${enterAgain}`,
  date: `was made a date, or a number in another format, by a spreadsheet: ${enterAgain}`,
  boolean: `was made true or false by a spreadsheet: ${enterAgain}`,
  error: "is a formula's error: enter the value",
};

function listCell(cell: WorkbookCell | undefined): string | ChangedCell {
  if (cell === undefined) return "";
  if (cell.is === "text") return cell.text;
  if (cell.is !== "number") return { text: cell.is, changed: changes[cell.is] };
  return cell.plain ? { text: cell.text, changed: changes.number } : { text: "date", changed: changes.date };
}

const isFilled = (cell: string | ChangedCell): boolean => typeof cell !== "string" || cell.trim() !== "";

/** How many rows or sheets a notice names. */
const maxNamed = 10;

const named = (things: readonly string[]): string =>
  formatList([
    ...things.slice(0, maxNamed),
    ...(things.length > maxNamed ? [`${things.length - maxNamed} more`] : []),
  ]);

/** Null: it has one sheet. */
function sheetsNotice({ name, others }: FirstSheet): string | null {
  const hidden = others.filter(({ isHidden }) => isHidden).map((each) => `"${each.name}"`);
  if (others.length === 0) return null;
  return `The workbook has ${formatCounted(others.length + 1, "sheet")}. Only "${name}", the first one that is not hidden, was read.${hidden.length === 0 ? "" : ` Hidden: ${named(hidden)}.`}`;
}

/** Null: none was left out. */
function rowsNotice([first, ...more]: readonly ListRow[]): string | null {
  if (first === undefined) return null;
  return more.length === 0
    ? `Row ${first.line} is hidden in the workbook and was not read. Show it to enrol its host.`
    : `Rows ${named([first, ...more].map(({ line }) => `${line}`))} are hidden in the workbook and were not read. Show them to enrol their hosts.`;
}

/**
 * Never throws, whatever the file contains. Rows that are hidden, by hand or by a filter, are left out, except the one that names the columns. Pure.
 * @param bytes The file
 */
export function parseHostsWorkbook(bytes: Uint8Array): ParsedList {
  try {
    const sheet = readFirstSheet(bytes);
    const [head, ...rest] = sheet.rows
      .map(({ cells, ...row }) => ({ ...row, cells: Array.from(cells, listCell) }))
      .filter(({ cells }) => cells.some(isFilled));
    const hidden = rest.filter(({ isHidden }) => isHidden);
    const shown = rest.filter(({ isHidden }) => !isHidden);
    if (hidden.length > 0 && shown.length === 0) return unreadable("all rows below the header are hidden");
    const notices = [sheetsNotice(sheet), rowsNotice(hidden)].filter((each) => each !== null);
    return hostsOfRows(
      head === undefined ? [] : [head, ...shown],
      notices.length === 0 ? null : notices.join(" "),
    );
  } catch (error) {
    return unreadable(
      `the file ${error instanceof WorkbookFault ? error.message : "is no workbook that can be read: save it as CSV UTF-8"}`,
    );
  }
}
