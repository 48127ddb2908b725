// An index of certificates as a CSV file, with what its reader may see.
import { z } from "zod";
import { certificateSearch, maxSelected } from "@/server/contract/assurance/certificates";
import type { CertificateLine } from "@/server/contract/assurance/certificates";
import { listCertificates } from "@/server/usecases/assurance/certificates/certificates";
import { csvFile, csvResponse } from "@/server/surfaces/web/csv/csv-file";
import type { CsvColumns } from "@/server/surfaces/web/csv/csv-file";
import type { WebBackend } from "@/server/surfaces/web/web-backend";

const pageRows = 500;

const columns: CsvColumns<CertificateLine> = [
  ["id", (row) => row.id],
  ["type", (row) => row.type],
  ["host", (row) => row.host ?? ""],
  ["hostId", (row) => row.hostId],
  ["reclamation", (row) => row.reclamationId],
  ["instance", (row) => row.instanceId ?? ""],
  ["instanceName", (row) => row.instance ?? ""],
  ["tenant", (row) => row.tenant ?? ""],
  ["number", (row) => row.number ?? ""],
  ["standing", (row) => row.standing ?? ""],
  ["made", (row) => row.madeAt.toISOString()],
  ["signed", (row) => row.signedAt?.toISOString() ?? ""],
  ["sha256", (row) => row.sha256],
];

const csvQuery = z.strictObject({
  ...certificateSearch,
  hostId: z.guid().optional(),
  instanceId: z.guid().optional(),
  /** A selection: comma-separated ids. */
  ids: z
    .string()
    .transform((text) => text.split(","))
    .pipe(z.array(z.guid()).max(maxSelected))
    .optional(),
});

/** The response of `/api/certificates.csv?…`, which takes the search of `certificates.list`, or a selection. */
export const certificatesCsvResponse = (backend: WebBackend, request: Request): Promise<Response> =>
  csvResponse(backend, request, {
    fileName: "certificates.csv",
    query: csvQuery,
    wrongQuery: `The index takes ${Object.keys(csvQuery.shape).join(", ")}. ids are at most ${maxSelected}, since and until are times such as 2026-10-01T00:00:00Z.`,
    read: (actor, query) =>
      csvFile(
        columns,
        (cursor) => listCertificates(backend, actor, { ...query, cursor, limit: pageRows }),
        (page) => page,
      ),
  });
