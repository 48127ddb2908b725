// Parses a workbook (XLSX) into the cells of its hosts, each with the number of its row. Only the first sheet is read.
import { hostsOfRows, unreadable } from "@/server/domain/hosts/enrolment/list-rows";
import type { ChangedCell, ParsedList } from "@/server/domain/hosts/enrolment/list-rows";
import { readFirstSheet, WorkbookFault } from "@/server/domain/hosts/enrolment/workbook-cells";
import type { WorkbookCell } from "@/server/domain/hosts/enrolment/workbook-cells";
import { formatCounted } from "@/server/domain/numbers";

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

/**
 * Never throws, whatever the file contains. If it has more than one sheet, `notice` says so. Pure.
 * @param bytes The file
 */
export function parseHostsWorkbook(bytes: Uint8Array): ParsedList {
  try {
    const { rows, sheets } = readFirstSheet(bytes);
    const written = rows
      .map(({ line, cells }) => ({ line, cells: Array.from(cells, listCell) }))
      .filter(({ cells }) => cells.some(isFilled));
    return hostsOfRows(
      written,
      sheets > 1 ? `The workbook has ${formatCounted(sheets, "sheet")}. Only the first one was read.` : null,
    );
  } catch (error) {
    return unreadable(
      `the file ${error instanceof WorkbookFault ? error.message : "is no workbook that can be read: save it as CSV UTF-8"}`,
    );
  }
}
