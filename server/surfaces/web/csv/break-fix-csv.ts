// Tickets, notices and capacity events as CSV files, each with what its reader may know (docs/repair.md#tickets).
import { z } from "zod";
import type { TicketRow } from "@/server/contract/break-fix/answers";
import type { CapacityEvent } from "@/server/contract/break-fix/capacity";
import type { NoticeRow } from "@/server/contract/break-fix/notices";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { capacityEvents } from "@/server/usecases/break-fix/capacity";
import { listNotices } from "@/server/usecases/break-fix/notices";
import { listTickets } from "@/server/usecases/break-fix/read-tickets";
import type { Outcome } from "@/server/usecases/problem";
import { csvFile, csvResponse } from "@/server/surfaces/web/csv/csv-file";
import type { CsvColumns } from "@/server/surfaces/web/csv/csv-file";
import type { WebBackend } from "@/server/surfaces/web/web-backend";

const ticketColumns: CsvColumns<TicketRow> = [
  ["ticket", (row) => row.ref],
  ["state", (row) => row.state],
  ["outcome", (row) => row.outcome ?? ""],
  ["category", (row) => row.category],
  ["summary", (row) => row.summary],
  ["action", (row) => row.action],
  ["host", (row) => row.host ?? ""],
  ["hostId", (row) => row.hostId],
  ["serial", (row) => row.serial ?? ""],
  ["rack", (row) => row.rack ?? ""],
  ["site", (row) => row.site ?? ""],
  ["org", (row) => row.tenantOrg ?? ""],
  ["instance", (row) => row.instance ?? ""],
  ["instanceId", (row) => row.instanceId ?? ""],
  ["handedOver", (row) => row.handedOverAt?.toISOString() ?? ""],
  ["opened", (row) => row.openedAt.toISOString()],
  ["updated", (row) => row.updatedAt.toISOString()],
  ["closed", (row) => row.closedAt?.toISOString() ?? ""],
  ["externalRef", (row) => row.externalRef ?? ""],
  ["replacementWanted", (row) => String(row.replacementWanted)],
  ["replacementHostId", (row) => row.replacementHostId ?? ""],
];

const noticeColumns: CsvColumns<NoticeRow> = [
  ["notice", (row) => row.ref],
  ["kind", (row) => row.kind],
  ["standing", (row) => row.standing],
  ["from", (row) => row.startsAt.toISOString()],
  ["until", (row) => row.endsAt?.toISOString() ?? ""],
  ["ended", (row) => row.endedAt?.toISOString() ?? ""],
  ["immediate", (row) => String(row.immediate)],
  ["message", (row) => row.message],
  ["note", (row) => row.note],
  ["scope", (row) => row.scope],
  ["site", (row) => row.site ?? ""],
  ["rack", (row) => row.rack ?? ""],
  ["host", (row) => row.host ?? ""],
  ["concerned", (row) => String(row.concerned)],
  ["instances", (row) => row.instances.map(({ name }) => name).join(" ")],
  ["hostIds", (row) => row.instances.map(({ hostId }) => hostId).join(" ")],
  ["acknowledged", (row) => row.acknowledged.map(({ tenant }) => tenant).join(", ")],
  ["created", (row) => row.createdAt.toISOString()],
];

const capacityColumns: CsvColumns<CapacityEvent> = [
  ["id", (row) => row.id],
  ["at", (row) => row.at.toISOString()],
  ["direction", (row) => row.direction],
  ["reason", (row) => row.reason],
  ["host", (row) => row.host ?? ""],
  ["hostId", (row) => row.hostId],
  ["instance", (row) => row.instance ?? ""],
  ["instanceId", (row) => row.instanceId ?? ""],
  ["tenant", (row) => row.tenant ?? ""],
  ["ticket", (row) => row.ticket ?? ""],
  ["notice", (row) => row.notice ?? ""],
  ["planned", (row) => String(row.planned)],
  ["site", (row) => row.site ?? ""],
];

const csvQuery = z.object({
  list: z.enum(["tickets", "notices", "capacity"]),
  /** For tickets. */
  status: z.enum(["open", "closed", "all"]).default("all"),
  q: z.string().trim().max(200).default(""),
});
type BreakFixQuery = z.output<typeof csvQuery>;

const pageRows = { tickets: 200, notices: 50, capacity: 1000 } as const;

function breakFixCsv(
  backend: Backend,
  actor: Actor,
  { list, status, q }: BreakFixQuery,
): Promise<Outcome<ReadableStream<Uint8Array>>> {
  switch (list) {
    case "tickets":
      return csvFile(
        ticketColumns,
        (cursor) => listTickets(backend, actor, { status, filter: q, cursor, limit: pageRows.tickets }),
        (page) => page,
      );
    case "notices":
      return csvFile(
        noticeColumns,
        (after) =>
          listNotices(backend, actor, {
            ...(after === null ? {} : { after }),
            status: "all",
            allInstances: true,
            limit: pageRows.notices,
          }),
        (rows) => ({ rows, nextCursor: rows.length < pageRows.notices ? null : (rows.at(-1)?.id ?? null) }),
      );
    case "capacity":
      return csvFile(
        capacityColumns,
        (after) =>
          capacityEvents(backend, actor, {
            ...(after === null ? {} : { after }),
            order: "newest",
            limit: pageRows.capacity,
          }),
        (rows) => ({ rows, nextCursor: rows.length < pageRows.capacity ? null : (rows.at(-1)?.id ?? null) }),
      );
  }
}

/** The response of `/api/break-fix.csv?list=`. */
export const breakFixCsvResponse = (backend: WebBackend, request: Request): Promise<Response> =>
  csvResponse(backend, request, {
    fileName: "break-fix.csv",
    query: csvQuery,
    wrongQuery:
      "list is not one of tickets, notices and capacity, or status not one of open, closed and all.",
    read: (actor, query) => breakFixCsv(backend, actor, query),
  });
