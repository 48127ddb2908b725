// Events of the audit log as a CSV file: all results of a search. It is for reading; `reclaim audit export` writes what can be verified.
import { audit } from "@/server/contract/audit-log/audit-log";
import type { AuditLine } from "@/server/contract/audit-log/audit-log";
import { listAudit } from "@/server/usecases/audit-log/list-audit";
import { csvFile, csvResponse } from "@/server/surfaces/web/csv/csv-file";
import type { CsvColumns } from "@/server/surfaces/web/csv/csv-file";
import type { WebBackend } from "@/server/surfaces/web/web-backend";

const pageRows = 500;

const factsOf = (facts: unknown): string => (facts === null ? "" : JSON.stringify(facts));

const columns: CsvColumns<AuditLine> = [
  ["number", (row) => (row.seq === null ? "" : String(row.seq))],
  ["at", (row) => row.at.toISOString()],
  ["action", (row) => row.action],
  ["outcome", (row) => row.outcome],
  ["actorKind", (row) => row.actorKind],
  ["actor", (row) => row.actorName ?? ""],
  ["actorId", (row) => row.actorId ?? ""],
  ["targetKind", (row) => row.targetKind ?? ""],
  ["target", (row) => row.targetName ?? ""],
  ["targetId", (row) => row.targetId ?? ""],
  ["address", (row) => row.address ?? ""],
  ["request", (row) => row.requestId ?? ""],
  ["before", (row) => factsOf(row.before)],
  ["after", (row) => factsOf(row.after)],
  ["id", (row) => row.id],
];

const csvQuery = audit.list.input.omit({ id: true, cursor: true, limit: true, direction: true });

/** The response of `/api/audit.csv?…`, with the parameters of `audit.list`. */
export const auditCsvResponse = (backend: WebBackend, request: Request): Promise<Response> =>
  csvResponse(backend, request, {
    fileName: "audit.csv",
    query: csvQuery,
    wrongQuery: "The search takes targetId, target, site, actor, action, outcome, text, since and until.",
    read: (actor, query) =>
      csvFile(
        columns,
        (cursor) => listAudit(backend, actor, { ...query, cursor, limit: pageRows }),
        (page) => page,
      ),
  });
