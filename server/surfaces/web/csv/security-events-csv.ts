// Security events as a CSV file: all results of a search.
import { z } from "zod";
import type { SecurityEventLine } from "@/server/contract/access/security-events";
import { security } from "@/server/contract/access/security-events";
import { csvFile, csvResponse } from "@/server/surfaces/web/csv/csv-file";
import type { CsvColumns } from "@/server/surfaces/web/csv/csv-file";
import type { WebBackend } from "@/server/surfaces/web/web-backend";
import { listSecurityEvents } from "@/server/usecases/access/security-events/read-events";

const pageRows = 500;

const columns: CsvColumns<SecurityEventLine> = [
  ["lastAt", (row) => row.lastAt.toISOString()],
  ["firstAt", (row) => row.firstAt.toISOString()],
  ["kind", (row) => row.kind],
  ["title", (row) => row.title],
  ["severity", (row) => row.severity],
  ["host", (row) => row.hostName ?? ""],
  ["hostId", (row) => row.hostId ?? ""],
  ["site", (row) => row.site ?? ""],
  ["address", (row) => row.address],
  ["others", (row) => row.others ?? ""],
  ["count", (row) => String(row.count)],
  ["tried", (row) => row.tried.join("; ")],
  ["paths", (row) => row.paths.join("; ")],
  ["acknowledgedAt", (row) => row.acknowledged?.at.toISOString() ?? ""],
  ["acknowledgedBy", (row) => row.acknowledged?.by ?? ""],
  ["note", (row) => row.acknowledged?.note ?? ""],
  ["id", (row) => row.id],
];

/** As in the page's address. */
const csvQuery = z.strictObject({
  ...security.list.input.pick({ kind: true, host: true, address: true }).shape,
  show: z.enum(["all"]).optional(),
});

/** The response of `/api/security-events.csv?…`. */
export const securityEventsCsvResponse = (backend: WebBackend, request: Request): Promise<Response> =>
  csvResponse(backend, request, {
    fileName: "security-events.csv",
    query: csvQuery,
    wrongQuery: "The search takes kind, host, address and show=all.",
    read: (actor, { show, ...query }) =>
      csvFile(
        columns,
        (cursor) =>
          listSecurityEvents(backend, actor, { ...query, open: show !== "all", cursor, limit: pageRows }),
        (page) => page,
      ),
  });
