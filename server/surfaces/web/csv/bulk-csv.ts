// The result of a bulk act as a CSV file, page by page.
import { z } from "zod";
import { bulkProgress } from "@/server/usecases/hosts/bulk/bulk-progress";
import type { BulkHost, BulkProgress } from "@/server/contract/hosts/bulk-answers";
import { csvFile, csvResponse } from "@/server/surfaces/web/csv/csv-file";
import type { CsvColumns } from "@/server/surfaces/web/csv/csv-file";
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

const query = z.object({ id: z.guid() });

/** The response of `/api/bulk.csv?id=`. */
export const bulkCsvResponse = (backend: WebBackend, request: Request): Promise<Response> =>
  csvResponse(backend, request, {
    fileName: "result.csv",
    query,
    wrongQuery: "id must be the id of an act.",
    read: (actor, { id }) =>
      csvFile(
        columns,
        (cursor) => bulkProgress(backend, actor, { id, statuses: [], cursor, limit: pageRows }),
        (page: BulkProgress) => ({ rows: page.hosts, nextCursor: page.nextCursor }),
      ),
  });
