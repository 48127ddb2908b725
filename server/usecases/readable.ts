// Separates the rows that this version understands from those that a newer version stored, which are then listed by name.
import { ZodError } from "zod";

export interface Readable<Row, Value> {
  readonly values: readonly Value[];
  /** Rows that this version does not understand. */
  readonly unread: readonly Row[];
}

/** Reads each row separately. A row that does not fit the schema is set apart; any other error, such as a database failure, is thrown. */
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
