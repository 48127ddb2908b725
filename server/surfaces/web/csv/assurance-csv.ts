// Exceptions, and what expires when, as CSV files, for those who may read the lists.
import { z } from "zod";
import type { EndingLine } from "@/server/contract/assurance/approvals";
import type { ExceptionLine } from "@/server/contract/assurance/exceptions";
import type { Actor } from "@/server/usecases/actor";
import { listEnding } from "@/server/usecases/assurance/approvals/list-ending";
import type { Backend } from "@/server/usecases/backend";
import { listExceptions } from "@/server/usecases/assurance/exceptions/list-exceptions";
import type { Outcome } from "@/server/usecases/problem";
import { csvFile, csvResponse } from "@/server/surfaces/web/csv/csv-file";
import type { CsvColumns } from "@/server/surfaces/web/csv/csv-file";
import type { WebBackend } from "@/server/surfaces/web/web-backend";

const pageRows = 500;

const exceptionColumns: CsvColumns<ExceptionLine> = [
  ["id", (row) => row.id],
  ["host", (row) => row.host.name],
  ["hostId", (row) => row.host.id],
  ["site", (row) => row.site ?? ""],
  ["reclamation", (row) => row.reclamationId],
  ["gate", (row) => row.gate],
  ["drive", (row) => row.drive ?? ""],
  ["standing", (row) => row.standing],
  ["found", (row) => row.found],
  ["reason", (row) => row.reason],
  ["measure", (row) => row.measure],
  ["risk", (row) => row.risk],
  ["askedBy", (row) => row.askedBy],
  ["asked", (row) => row.askedAt.toISOString()],
  ["decidedBy", (row) => row.decidedBy ?? ""],
  ["decided", (row) => row.decidedAt?.toISOString() ?? ""],
  ["decidedWith", (row) => row.decidedWith ?? ""],
  ["decidedReason", (row) => row.decidedReason ?? ""],
  ["validUntil", (row) => row.validUntil.toISOString()],
  ["voidBecause", (row) => row.voided ?? ""],
  ["superseded", (row) => row.supersededAt?.toISOString() ?? ""],
];

const endingColumns: CsvColumns<EndingLine> = [
  ["ends", (row) => row.endsAt.toISOString()],
  ["kind", (row) => row.kind],
  ["subject", (row) => row.subject],
  ["host", (row) => row.host.name],
  ["hostId", (row) => row.host.id],
  ["site", (row) => row.site],
  ["id", (row) => row.id],
];

const csvQuery = z.object({ list: z.enum(["exceptions", "ending"]) });

const listCsv = (
  backend: Backend,
  actor: Actor,
  { list }: z.output<typeof csvQuery>,
): Promise<Outcome<ReadableStream<Uint8Array>>> =>
  list === "exceptions"
    ? csvFile(
        exceptionColumns,
        (cursor) => listExceptions(backend, actor, { hostId: null, all: true, cursor, limit: pageRows }),
        ({ items: rows, nextCursor }) => ({ rows, nextCursor }),
      )
    : csvFile(
        endingColumns,
        (cursor) => listEnding(backend, actor, { cursor, limit: pageRows }),
        ({ items: rows, nextCursor }) => ({ rows, nextCursor }),
      );

/** The response of `/api/assurance.csv?list=`. */
export const assuranceCsvResponse = (backend: WebBackend, request: Request): Promise<Response> =>
  csvResponse(backend, request, {
    fileName: "assurance.csv",
    query: csvQuery,
    wrongQuery: "list is not one of exceptions and ending.",
    read: (actor, query) => listCsv(backend, actor, query),
  });
