// The lists of the page *Repair* as CSV files, each with what its reader may see.
import { z } from "zod";
import type { HeldRow, OffenderRow, QueueRow, RepairLine } from "@/server/contract/repair/answers";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { getRepairQueue } from "@/server/usecases/repair/get-queue";
import { listHeld } from "@/server/usecases/repair/list-held";
import { listOffenders } from "@/server/usecases/repair/list-offenders";
import { listOutcomes } from "@/server/usecases/repair/list-outcomes";
import { csvFile, csvResponse } from "@/server/surfaces/web/csv/csv-file";
import type { CsvColumns } from "@/server/surfaces/web/csv/csv-file";
import type { WebBackend } from "@/server/surfaces/web/web-backend";

const pageRows = 500;

const queueColumns: CsvColumns<QueueRow> = [
  ["host", (row) => row.host],
  ["id", (row) => row.hostId],
  ["category", (row) => row.issue.category ?? ""],
  ["summary", (row) => row.issue.summary],
  ["details", (row) => row.issue.details],
  ["state", (row) => row.state],
  ["since", (row) => row.since.toISOString()],
  ["repaired", (row) => String(row.repaired.total)],
  ["repairedRecently", (row) => String(row.repaired.recent)],
  ["site", (row) => row.site],
  ["rack", (row) => row.rack ?? ""],
  ["sku", (row) => row.sku ?? ""],
  ["claimable", (row) => String(row.claim.short === null)],
  ["reason", (row) => row.claim.reason ?? ""],
  ["expectedAt", (row) => row.claim.expectedAt?.toISOString() ?? ""],
];

const heldColumns: CsvColumns<HeldRow> = [
  ["host", (row) => row.host],
  ["id", (row) => row.hostId],
  ["instance", (row) => row.instance],
  ["instanceId", (row) => row.instanceId],
  ["tenant", (row) => row.tenant],
  ["claimed", (row) => row.claimedAt.toISOString()],
  ["repairStatus", (row) => row.repairStatus ?? ""],
  ["ticket", (row) => row.ticket ?? ""],
  ["note", (row) => row.note ?? ""],
  ["issue", (row) => row.issue?.summary ?? ""],
  ["site", (row) => row.site],
  ["rack", (row) => row.rack ?? ""],
  ["sku", (row) => row.sku ?? ""],
];

const outcomeColumns: CsvColumns<RepairLine> = [
  ["host", (row) => row.host],
  ["id", (row) => row.hostId],
  ["tenant", (row) => row.tenant ?? ""],
  ["system", (row) => row.system ?? ""],
  ["claimed", (row) => row.claimedAt.toISOString()],
  ["released", (row) => row.releasedAt?.toISOString() ?? ""],
  ["outcome", (row) => row.outcome ?? "not recorded"],
  ["ticket", (row) => row.ticket ?? ""],
  ["note", (row) => row.note ?? ""],
  ["issue", (row) => row.issue?.summary ?? ""],
  ["newIssue", (row) => row.newIssue ?? ""],
];

const offenderColumns: CsvColumns<OffenderRow> = [
  ["host", (row) => row.host],
  ["id", (row) => row.hostId],
  ["repairs", (row) => String(row.repairs.length)],
  ["lastReleased", (row) => row.repairs[0]?.releasedAt?.toISOString() ?? ""],
  ["lastOutcome", (row) => row.repairs[0]?.outcome ?? "not recorded"],
  ["lastIssue", (row) => row.repairs[0]?.issue?.summary ?? ""],
  ["state", (row) => row.state],
  ["site", (row) => row.site],
  ["rack", (row) => row.rack ?? ""],
  ["sku", (row) => row.sku ?? ""],
];

/** A list with a single page. */
const onePage = <Row>(rows: readonly Row[]) => ({ rows, nextCursor: null });

const csvQuery = z.object({ tab: z.enum(["queue", "held", "outcomes", "offenders"]).default("queue") });
type RepairCsvQuery = z.output<typeof csvQuery>;

function repairCsv(
  backend: Backend,
  actor: Actor,
  { tab }: RepairCsvQuery,
): Promise<Outcome<ReadableStream<Uint8Array>>> {
  switch (tab) {
    case "queue":
      return csvFile(
        queueColumns,
        (cursor) => getRepairQueue(backend, actor, { cursor, limit: pageRows }),
        (page) => page,
      );
    case "outcomes":
      return csvFile(
        outcomeColumns,
        (cursor) => listOutcomes(backend, actor, { cursor, limit: pageRows }),
        (page) => page,
      );
    case "held":
      return csvFile(heldColumns, () => listHeld(backend, actor), onePage);
    case "offenders":
      return csvFile(
        offenderColumns,
        async () => {
          const found = await listOffenders(backend, actor);
          return found.ok ? done(found.value.rows) : found;
        },
        onePage,
      );
  }
}

/** The response of `/api/repair.csv?tab=`. */
export const repairCsvResponse = (backend: WebBackend, request: Request): Promise<Response> =>
  csvResponse(backend, request, {
    fileName: "repair.csv",
    query: csvQuery,
    wrongQuery: "tab is not one of queue, held, outcomes and offenders.",
    read: (actor, query) => repairCsv(backend, actor, query),
  });
