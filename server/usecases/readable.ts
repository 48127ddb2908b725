// Rows of a list that may hold what a newer version stored: those that this version understands, and the others to be named beside them.
import { ZodError } from "zod";

export interface Readable<Row, Value> {
  readonly values: readonly Value[];
  /** What this version does not understand. */
  readonly unread: readonly Row[];
}

/** Reads each row by itself. A row that no schema fits is set apart; any other error, such as a database that cannot be asked, is everybody's. */
export async function readEach<Row, Value>(
  rows: readonly Row[],
  read: (row: Row) => Value | Promise<Value>,
): Promise<Readable<Row, Value>> {
  const unread: Row[] = [];
  const found = await Promise.all(
    rows.map(async (row) => {
      try {
        return [await read(row)];
      } catch (error) {
        if (!(error instanceof ZodError)) throw error;
        unread.push(row);
        return [];
      }
    }),
  );
  return { values: found.flat(), unread };
}
