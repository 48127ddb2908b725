// A list as a CSV file, page by page, so that a large one is never completely in memory.
import { stringify } from "csv-stringify/sync";
import type { z } from "zod";
import type { Actor } from "@/server/usecases/actor";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { readAsker } from "@/server/surfaces/web/asker";
import { problemResponse } from "@/server/surfaces/web/problem-response";
import { requestFacts } from "@/server/surfaces/web/request";
import type { WebBackend } from "@/server/surfaces/web/web-backend";

export type CsvColumns<Row> = readonly (readonly [string, (row: Row) => string])[];

/** Cells that begin like a formula are escaped, because spreadsheets would run them (`escape_formulas`). */
const csv = (rows: readonly (readonly string[])[]): string =>
  stringify(
    rows.map((row) => [...row]),
    { escape_formulas: true },
  );

/**
 * @param read one page; null is the first
 * @param pageOf its rows, and the cursor of the next page
 * A problem on the first page is the response. If a later page fails the stream breaks, so that half a file is not taken for a complete one.
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

interface CsvAnswer<Query> {
  readonly fileName: string;
  readonly query: z.ZodType<Query>;
  /** The message for an invalid query. */
  readonly wrongQuery: string;
  readonly read: (actor: Actor, query: Query) => Promise<Outcome<ReadableStream<Uint8Array>>>;
}

/** Responds with a file to download, for anybody signed in. */
export async function csvResponse<Query>(
  backend: WebBackend,
  request: Request,
  { fileName, query, wrongQuery, read }: CsvAnswer<Query>,
): Promise<Response> {
  const { requestId } = requestFacts(request.headers);
  const actor = await readAsker(backend, request.headers);
  if (actor === null)
    return problemResponse({ code: "unauthenticated", detail: "Sign in first." }, requestId);
  const parsed = query.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (!parsed.success) return problemResponse({ code: "invalid", detail: wrongQuery }, requestId);
  const file = await read(actor, parsed.data);
  if (!file.ok) return problemResponse(file.problem, requestId);
  return new Response(file.value, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${fileName}"`,
      "cache-control": "no-store",
    },
  });
}
