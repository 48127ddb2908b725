"use client";
// One bulk act, live: overall progress and the result for each host.
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useMemo } from "react";
import { routes } from "@/server/domain/console/routes";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useMore } from "@/components/ui/table/use-more";
import { useTRPC } from "@/components/trpc/trpc";
import { formatCount, formatCounted, formatPercent } from "@/server/domain/numbers";
import { Empty } from "@/components/ui/empty";
import { HowFar } from "@/components/ui/bars/how-far";
import { Tabs } from "@/components/ui/tabs";
import type { BulkHost, BulkProgress, BulkStatus } from "@/server/surfaces/trpc/types";
import { countsOf, runTitle, statusText, throughOf } from "@/components/hosts/bulk/run-text";
import { runQuery } from "@/components/hosts/bulk/run-view";
import { Breakable } from "@/components/ui/breakable";
import { ChangedMark } from "@/components/ui/changed-mark";
import { Progress } from "@/components/ui/bars/progress";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable, type DataTableProps } from "@/components/ui/table/data-table";

interface RunHostsTableProps extends Pick<DataTableProps<BulkHost>, "loading" | "empty" | "problem"> {
  hosts: readonly BulkHost[];
  /** Hosts with this status, loaded or not. */
  total: number;
  onEnd: () => void;
}

const narrowRowPx = 57;

/** The hosts of a bulk act, each with its status; only visible rows are rendered. */
function RunHostsTable({ hosts, total, onEnd, ...table }: RunHostsTableProps) {
  return (
    <DataTable
      {...table}
      caption="Hosts of the run"
      fullWidth
      columns={columns}
      rows={hosts}
      rowId={(host) => host.hostId}
      total={total}
      virtual={{ narrowRowPx, onEnd }}
    />
  );
}

const statePath = (host: BulkHost) => host.state?.replaceAll("/", " / ");

const column = columnsOf<BulkHost>();

const columns = [
  column.cell(
    "host",
    "Host",
    (host) =>
      host.state === null ? (
        <span className="text-quiet">{host.name}, gone</span>
      ) : (
        <Link className="text-medium" href={routes.host(host.name)} prefetch={false}>
          {host.name}
        </Link>
      ),
    { width: 168, narrow: "top-start", rowHeader: true },
  ),
  column.cell(
    "status",
    "Result",
    (host) => (
      <ChangedMark tone={host.tone} live={host.status === "running"} words={statusText[host.status]} />
    ),
    { width: 180, narrow: "top-end" },
  ),
  column.cell(
    "step",
    "Step",
    (host) =>
      host.percent === null ? (
        <span className="mono text-small">
          <Breakable text={host.step ?? ""} />
        </span>
      ) : (
        <>
          <Progress percent={host.percent} />
          {formatPercent(host.percent)}
        </>
      ),
    { width: 144, className: "text-quiet wrapping", title: (host) => host.step },
  ),
  column.text(
    "message",
    "Details",
    (host) =>
      host.message ?? (host.outcome === null ? statePath(host) : `${host.outcome}; ${statePath(host) ?? ""}`),
    { narrow: "line", className: "text-soft" },
  ),
  column.cell(
    "reclamation",
    "Run",
    (host) =>
      host.reclamationNumber === null || host.reclamationId === null || host.state === null ? null : (
        <Link href={routes.host(host.name, { reclamation: host.reclamationId })} prefetch={false}>
          {host.reclamationNumber}
        </Link>
      ),
    { width: 96, from: "medium", className: "mono text-small" },
  ),
];

const refreshMs = 1500;

/** Deduplicated: a host that moved between two page reads is on both pages. */
function uniqueHosts(pages: readonly BulkProgress[]): BulkHost[] {
  return [...new Map(pages.flatMap((page) => page.hosts).map((host) => [host.hostId, host])).values()];
}

/** The pages loaded so far, refetched while the run is in progress. */
function useRun(id: string, status: BulkStatus | null) {
  const trpc = useTRPC();
  const list = useInfiniteQuery(
    trpc.bulk.progress.infiniteQueryOptions(runQuery(id, status), {
      getNextPageParam: (page) => page.nextCursor,
      placeholderData: keepPreviousData,
    }),
  );
  const run = list.data?.pages[0];
  const hosts = useMemo(() => uniqueHosts(list.data?.pages ?? []), [list.data]);
  useLiveRefresh(() => list.refetch(), { everyMs: refreshMs, enabled: run?.over !== true });
  const more = useMore(list);
  const unread = (before: string) => (
    <ProblemNotice error={list.error} before={before} onRetry={() => void list.refetch()} />
  );
  return { run, hosts, more, list, unread };
}

export function RunPage({ id, status }: { id: string; status: BulkStatus | null }) {
  const { run, hosts, more, list, unread } = useRun(id, status);
  if (run === undefined) return unread("The run could not be read.");
  return (
    <>
      <RunHead id={id} run={run} />
      <RunSoFar run={run} />
      <Results id={id} run={run} status={status} />
      <RunHostsTable
        hosts={hosts}
        total={status === null ? run.total : run.counts[status]}
        loading={list.isFetchingNextPage}
        onEnd={more}
        problem={list.isError ? unread("It could not be read again.") : undefined}
        empty={
          <Empty
            title="No hosts in this group now"
            act={
              <Link className="btn" href={routes.cleaning.run(id)}>
                Show all hosts
              </Link>
            }
          >
            Hosts move between groups as they progress.
          </Empty>
        }
      />
    </>
  );
}

function RunHead({ id, run }: { id: string; run: BulkProgress }) {
  return (
    <div className="head">
      <Link className="back" href={routes.cleaning.runs()}>
        Runs
      </Link>
      <h1>{runTitle(run)}</h1>
      <span className="what">
        {formatCounted(run.total, "host")}
        {run.filter === null ? null : (
          <>
            , selected by{" "}
            <Link className="link" href={routes.hosts({ q: run.filter })}>
              {run.filter === "" ? "no filter" : `the filter ${run.filter}`}
            </Link>
          </>
        )}
        ; by {run.createdByName}
      </span>
      <div className="acts">
        <a className="btn plain" href={routes.files.runCsv(id)} download="result.csv">
          Export CSV
        </a>
      </div>
    </div>
  );
}

/** Filters by result: all hosts, or one result each. */
function Results({ id, run, status }: { id: string; run: BulkProgress; status: BulkStatus | null }) {
  const all = {
    href: routes.cleaning.run(id),
    words: "All hosts",
    count: formatCount(run.total),
    current: status === null,
  };
  const each = countsOf(run.counts).map(({ status: name, count }) => ({
    href: routes.cleaning.run(id, { show: name }),
    words: statusText[name],
    count: formatCount(count),
    current: status === name,
  }));
  return <Tabs label="Hosts by result" tabs={[all, ...each]} />;
}

function RunSoFar({ run }: { run: BulkProgress }) {
  const { through, of } = throughOf(run.counts);
  const bad = run.counts.failed + run.counts.refused + run.counts.refusedLater;
  return (
    <HowFar
      tone={run.over ? (bad > 0 ? "attention" : "good") : "working"}
      over={run.over}
      done={through}
      of={of}
      since={run.startedAt}
      says={
        <>
          {run.over
            ? bad === 0
              ? "All hosts have finished."
              : `${bad === 1 ? "One host needs" : `${formatCount(bad)} hosts need`} attention.`
            : run.askedAllAt === null
              ? "Requests are being sent to hosts in batches."
              : "All requests were sent; each host continues on its own."}
          {run.counts.cannot === 0
            ? null
            : ` ${run.counts.cannot === 1 ? "One was" : `${formatCount(run.counts.cannot)} were`} left out at the start.`}
        </>
      }
    >
      {run.steps.length === 0 ? null : (
        <p className="says next">
          Steps: <span className="mono">{run.steps.join(", ")}</span>
        </p>
      )}
    </HowFar>
  );
}
