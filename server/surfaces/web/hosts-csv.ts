// The hosts list as a CSV file, page by page, so that a large fleet is never in memory as a whole.
import { stringify } from "csv-stringify/sync";
import { z } from "zod";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import type { HostList, HostRow } from "@/server/usecases/hosts/host-shapes";
import { hostSorts, listHosts } from "@/server/usecases/hosts/list-hosts";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { problemResponse } from "@/server/surfaces/web/problem-response";
import { requestFacts } from "@/server/surfaces/web/request";
import { sessionActor } from "@/server/surfaces/web/session";
import type { WebBackend } from "@/server/surfaces/web/web-backend";

const pageRows = 1000;

const columns: readonly (readonly [string, (row: HostRow) => string])[] = [
  ["host", (row) => row.name],
  ["id", (row) => row.hostId],
  ["state", (row) => row.state],
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

/** A cell that begins like a formula is made text: spreadsheets would run it (`escape_formulas`). */
const csv = (rows: readonly (readonly string[])[]): string => stringify(rows.map((row) => [...row]), { escape_formulas: true });

const csvQuery = z.object({
  filter: z.string().max(1000).default(""),
  sort: z.enum(hostSorts).default("since"),
  descending: z.enum(["true", "false"]).default("true").transform((text) => text === "true"),
});
type HostsCsvQuery = z.output<typeof csvQuery>;

/** A problem of the first page is the answer; a later page that fails breaks the stream, so that half a file is not taken for a whole one. */
async function hostsCsv(backend: Backend, actor: Actor, query: HostsCsvQuery): Promise<Outcome<ReadableStream<Uint8Array>>> {
  const read = (cursor: string | null): Promise<Outcome<HostList>> => listHosts(backend, actor, { ...query, cursor, limit: pageRows });
  const first = await read(null);
  if (!first.ok) return first;
  if (first.value.problem !== null) return refused("invalid", first.value.problem.message, "filter");
  const encoder = new TextEncoder();
  let page: HostList | null = first.value;
  let head = true;
  return done(
    new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        if (page === null) return controller.close();
        const lines = page.rows.map((row) => columns.map(([, cell]) => cell(row)));
        controller.enqueue(encoder.encode(csv(head ? [columns.map(([name]) => name), ...lines] : lines)));
        head = false;
        const next: Outcome<HostList> | null = page.nextCursor === null ? null : await read(page.nextCursor);
        if (next !== null && !next.ok) throw new Error(next.problem.detail);
        page = next === null ? null : next.value;
      },
    }),
  );
}

/** The answer of `/api/hosts.csv?filter=&sort=&descending=`. */
export async function hostsCsvResponse(backend: WebBackend, request: Request): Promise<Response> {
  const { requestId } = requestFacts(request.headers);
  const actor = await sessionActor(backend, request.headers);
  if (actor === null) return problemResponse({ code: "unauthenticated", detail: "Sign in first." }, requestId);
  const parsed = csvQuery.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (!parsed.success) return problemResponse({ code: "invalid", detail: "filter, sort or descending is not valid." }, requestId);
  const file = await hostsCsv(backend, actor, parsed.data);
  if (!file.ok) return problemResponse(file.problem, requestId);
  return new Response(file.value, { headers: { "content-type": "text/csv; charset=utf-8", "content-disposition": 'attachment; filename="hosts.csv"', "cache-control": "no-store" } });
}
