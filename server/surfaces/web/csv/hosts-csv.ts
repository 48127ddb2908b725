// The hosts list as a CSV file, page by page, so that a large fleet is never completely in memory.
import { z } from "zod";
import { standingText } from "@/server/domain/assurance/standing";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import type { HostList, HostRow } from "@/server/contract/hosts/hosts-answers";
import { hostSorts } from "@/server/contract/hosts/hosts";
import { listHosts } from "@/server/usecases/hosts/list/list-hosts";
import { refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { csvFile, csvResponse } from "@/server/surfaces/web/csv/csv-file";
import type { CsvColumns } from "@/server/surfaces/web/csv/csv-file";
import type { WebBackend } from "@/server/surfaces/web/web-backend";

const pageRows = 1000;

const columns: CsvColumns<HostRow> = [
  ["host", (row) => row.name],
  ["id", (row) => row.hostId],
  ["state", (row) => row.state],
  ["standing", (row) => standingText[row.standing]],
  ["since", (row) => row.stateSince.toISOString()],
  ["limitMs", (row) => String(row.limitMs ?? "")],
  ["overLimit", (row) => String(row.overLimit)],
  ["step", (row) => row.step ?? ""],
  ["percent", (row) => String(row.percent ?? "")],
  ["detail", (row) => row.detail ?? ""],
  ["health", (row) => row.health.words],
  ["tenant", (row) => row.tenantName ?? ""],
  ["site", (row) => row.site],
  ["rack", (row) => row.rack ?? ""],
  ["slot", (row) => row.slot ?? ""],
  ["sku", (row) => row.sku ?? ""],
  ["lastReady", (row) => row.lastReadyAt?.toISOString() ?? ""],
  ["allocatable", (row) => String(row.allocatable)],
];

const csvQuery = z.object({
  filter: z.string().max(1000).default(""),
  sort: z.enum(hostSorts).default("since"),
  descending: z
    .enum(["true", "false"])
    .default("true")
    .transform((text) => text === "true"),
});
type HostsCsvQuery = z.output<typeof csvQuery>;

/** A filter that is not understood is a problem, not an empty file. */
function hostsCsv(
  backend: Backend,
  actor: Actor,
  query: HostsCsvQuery,
): Promise<Outcome<ReadableStream<Uint8Array>>> {
  const read = async (cursor: string | null): Promise<Outcome<HostList>> => {
    const page = await listHosts(backend, actor, { ...query, cursor, limit: pageRows });
    return page.ok && page.value.problem !== null
      ? refused("invalid", page.value.problem.message, "filter")
      : page;
  };
  return csvFile(columns, read, (page) => page);
}

/** The response of `/api/hosts.csv?filter=&sort=&descending=`. */
export const hostsCsvResponse = (backend: WebBackend, request: Request): Promise<Response> =>
  csvResponse(backend, request, {
    fileName: "hosts.csv",
    query: csvQuery,
    wrongQuery: "filter, sort or descending is not valid.",
    read: (actor, query) => hostsCsv(backend, actor, query),
  });
