// A list as CSV, for spreadsheets: every column, with its value rather than its display text.
import { stringify } from "csv-stringify/sync";
import type { Column } from "@/cli/output/printer";

/** A cell that starts like a formula is escaped as text: spreadsheets would run it (`escape_formulas`). Pure. */
export const csvText = <Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string =>
  stringify(
    [
      columns.map(({ name }) => name),
      ...rows.map((row) =>
        columns.map(({ value }) => {
          const cell = value(row);
          if (cell === null) return "";
          return cell instanceof Date
            ? cell.toISOString()
            : typeof cell === "object"
              ? cell.join(" ")
              : String(cell);
        }),
      ),
    ],
    { escape_formulas: true },
  );
