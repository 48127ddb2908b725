// Returns as a CSV file: all that a search of the proof desk selects, with what its reader may see.
import type { ReturnLine } from "@/server/contract/assurance/proof";
import { searchReturns } from "@/server/usecases/assurance/proof/search-returns";
import { csvFile, csvResponse } from "@/server/surfaces/web/csv/csv-file";
import type { CsvColumns } from "@/server/surfaces/web/csv/csv-file";
import { proofQuery } from "@/server/surfaces/web/proof/proof-query";
import type { WebBackend } from "@/server/surfaces/web/web-backend";

const pageRows = 500;

const columns: CsvColumns<ReturnLine> = [
  ["returned", (row) => row.at.toISOString()],
  ["ended", (row) => row.endedAt?.toISOString() ?? ""],
  ["standing", (row) => row.standing],
  ["says", (row) => row.says],
  ["certificate", (row) => row.file?.number ?? ""],
  ["signed", (row) => row.file?.signedAt?.toISOString() ?? ""],
  ["host", (row) => row.host.name ?? ""],
  ["serial", (row) => row.host.serial ?? ""],
  ["site", (row) => row.site ?? ""],
  ["sku", (row) => row.sku ?? ""],
  ["tenant", (row) => row.tenant?.name ?? ""],
  ["instance", (row) => row.instance?.name ?? ""],
  ["reclamation", (row) => row.reclamation?.name ?? ""],
  ["kind", (row) => row.kind],
  ["drivesErased", (row) => String(row.counts.erased)],
  ["drivesExpected", (row) => String(row.counts.expected)],
  ["certificateId", (row) => row.file?.id ?? ""],
  ["id", (row) => row.id],
];

/** The response of `/api/proof.csv?…`, which takes the search as it is in the page's address. */
export const proofCsvResponse = (backend: WebBackend, request: Request): Promise<Response> =>
  csvResponse(backend, request, {
    fileName: "returns.csv",
    query: proofQuery,
    wrongQuery: "The search takes text, tenant, month, site, sku, standing, kind and exception.",
    read: (actor, query) =>
      csvFile(
        columns,
        (cursor) => searchReturns(backend, actor, { ...query, cursor, limit: pageRows }),
        (page) => page,
      ),
  });
