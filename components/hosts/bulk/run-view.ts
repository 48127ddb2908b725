// What the URL of a run's page holds: which of its hosts are shown.
import type { BulkStatus } from "@/server/surfaces/trpc/types";
import { statusOrder } from "@/components/hosts/bulk/run-text";

/** Rows per page. */
export const runPageSize = 200;

/** Null: all hosts. */
export const parseRunStatus = (search: { get: (name: string) => string | null }): BulkStatus | null =>
  statusOrder.find((status) => status === search.get("show")) ?? null;

/** The input of one page of hosts, shared by the server's prefetch and the browser. */
export const runQuery = (id: string, status: BulkStatus | null) => ({
  id,
  statuses: status === null ? [] : [status],
  limit: runPageSize,
});
