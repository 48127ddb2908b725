// The result of an act on many hosts as a CSV file, page by page.
import { z } from "zod";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { bulkProgress } from "@/server/usecases/bulk/bulk-progress";
import type { BulkHost, BulkProgress } from "@/server/contract/answers/bulk";
import type { Outcome } from "@/server/usecases/problem";
import { readAsker } from "@/server/surfaces/web/asker";
import { csvFile } from "@/server/surfaces/web/csv-file";
import type { CsvColumns } from "@/server/surfaces/web/csv-file";
import { problemResponse } from "@/server/surfaces/web/problem-response";
import { requestFacts } from "@/server/surfaces/web/request";
import type { WebBackend } from "@/server/surfaces/web/web-backend";

const pageRows = 1000;

const columns: CsvColumns<BulkHost> = [
  ["host", (row) => row.name],
  ["id", (row) => row.hostId],
  ["result", (row) => row.status],
  ["message", (row) => row.message ?? ""],
  ["reclamation", (row) => row.reclamationNumber ?? ""],
  ["outcome", (row) => row.outcome ?? ""],
  ["state", (row) => row.state ?? ""],
  ["step", (row) => row.step ?? ""],
];

const query = z.object({ id: z.uuid() });

/** The answer of `/api/bulk.csv?id=`. */
export async function bulkCsvResponse(backend: WebBackend, request: Request): Promise<Response> {
  const { requestId } = requestFacts(request.headers);
  const actor = await readAsker(backend, request.headers);
  if (actor === null)
    return problemResponse({ code: "unauthenticated", detail: "Sign in first." }, requestId);
  const parsed = query.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (!parsed.success)
    return problemResponse({ code: "invalid", detail: "id must be the id of an act." }, requestId);
  const file = await bulkCsv(backend, actor, parsed.data.id);
  return file.ok
    ? new Response(file.value, {
        headers: {
          "content-type": "text/csv; charset=utf-8",
          "content-disposition": 'attachment; filename="result.csv"',
          "cache-control": "no-store",
        },
      })
    : problemResponse(file.problem, requestId);
}

const bulkCsv = (backend: Backend, actor: Actor, id: string): Promise<Outcome<ReadableStream<Uint8Array>>> =>
  csvFile(
    columns,
    (cursor) => bulkProgress(backend, actor, { id, statuses: [], cursor, limit: pageRows }),
    (page: BulkProgress) => ({ rows: page.hosts, nextCursor: page.nextCursor }),
  );
