// A list as a CSV file, page by page, so that a large one is never in memory as a whole.
import { stringify } from "csv-stringify/sync";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

export type CsvColumns<Row> = readonly (readonly [string, (row: Row) => string])[];

/** A cell that begins like a formula is made text: spreadsheets would run it (`escape_formulas`). */
const csv = (rows: readonly (readonly string[])[]): string =>
  stringify(
    rows.map((row) => [...row]),
    { escape_formulas: true },
  );

/**
 * @param read one page; null is the first
 * @param pageOf its rows, and where the next begins
 * A problem of the first page is the answer; a later page that fails breaks the stream, so that half a file is not taken for a whole one.
 */
export async function csvFile<Row, Page>(
  columns: CsvColumns<Row>,
  read: (cursor: string | null) => Promise<Outcome<Page>>,
  pageOf: (page: Page) => { readonly rows: readonly Row[]; readonly nextCursor: string | null },
): Promise<Outcome<ReadableStream<Uint8Array>>> {
  const first = await read(null);
  if (!first.ok) return first;
  const encoder = new TextEncoder();
  let page: Page | null = first.value;
  let head = true;
  return done(
    new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        if (page === null) return controller.close();
        const { rows, nextCursor } = pageOf(page);
        const lines = rows.map((row) => columns.map(([, cell]) => cell(row)));
        controller.enqueue(encoder.encode(csv(head ? [columns.map(([name]) => name), ...lines] : lines)));
        head = false;
        const next: Outcome<Page> | null = nextCursor === null ? null : await read(nextCursor);
        if (next !== null && !next.ok) throw new Error(next.problem.detail);
        page = next === null ? null : next.value;
      },
    }),
  );
}
