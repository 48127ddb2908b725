"use client";
// The hosts page: saved views, filter, table, shortcuts, selection. The URL holds all choices.
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter, useSearchParams } from "next/navigation";
import { useCallback, useEffect, useMemo, useState } from "react";
import { EnrolLink } from "@/components/hosts/enrolment/enrol-link";
import { useMe } from "@/components/frame/me";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { formatCount, formatCounted } from "@/components/ui/format/numbers";
import { Empty } from "@/components/ui/empty";
import { ColumnsMenu } from "@/components/ui/table/columns-menu";
import { DataTable } from "@/components/ui/table/data-table";
import type { TableSelection } from "@/components/ui/table/table-head";
import { Tabs } from "@/components/ui/tabs";
import { filterKeys } from "@/server/domain/hosts/host-filter";
import type { HostRow, HostView } from "@/server/surfaces/trpc/types";
import { BulkBar } from "@/components/hosts/list/bulk-bar";
import { CauseGroups, useCauseGroup } from "@/components/hosts/list/cause-groups";
import { columnIds } from "@/components/hosts/list/column-looks";
import { hostColumns } from "@/components/hosts/list/columns";
import { FilterBar } from "@/components/hosts/list/filter-bar";
import { routes } from "@/server/domain/console/routes";
import {
  csvHref,
  hostsViewHref,
  isSortName,
  parseHostsView,
  savedViewHref,
  type HostsView,
} from "@/components/hosts/list/hosts-view";
import { useHosts, type Hosts } from "@/components/hosts/list/use-hosts";
import { useSelection } from "@/components/hosts/list/use-selection";
import { ViewMenu } from "@/components/hosts/list/view-menu";

const countsMs = 5000;
const rowId = (host: HostRow) => host.hostId;

/** Reads the view from the URL and writes it back without requesting a page from the server. */
function useHostsView(): [HostsView, (change: Partial<HostsView>) => void] {
  const search = useSearchParams();
  const view = useMemo(() => parseHostsView(search), [search]);
  const change = useCallback(
    (changed: Partial<HostsView>) => history.replaceState(null, "", hostsViewHref({ ...view, ...changed })),
    [view],
  );
  return [view, change];
}

/** Rows keep their place while somebody is reading; `setReading` tells whether somebody is. */
function useQuietUpdates({ rows, entered, left, showMoved }: Hosts, busy: boolean) {
  const [reading, setReading] = useState(false);
  const moved = entered + left > 0;
  const none = rows.length === 0;
  useEffect(() => {
    if (moved && (none || (!reading && !busy && scrollY === 0))) showMoved();
  }, [moved, none, reading, busy, showMoved]);
  return setReading;
}

export function HostsPage() {
  const [view, changeView] = useHostsView();
  const hosts = useHosts(view);
  const { rows, total, problem } = hosts;
  const ids = useMemo(() => rows.map((row) => row.hostId), [rows]);
  const selection = useSelection(ids, view.filter);
  const setFilter = useCallback((filter: string) => changeView({ filter }), [changeView]);
  return (
    <>
      <HostsHead view={view} onChange={changeView} />
      <FilterBar
        filter={view.filter}
        problem={problem?.message ?? null}
        findsNone={hosts.list.isSuccess && view.filter !== "" && rows.length === 0}
        onFilter={setFilter}
      />
      <CountLine hosts={hosts} />
      {view.byCause && hosts.groups !== null ? <CauseGroups view={view} groups={hosts.groups} /> : null}
      <HostsTable
        view={view}
        hosts={hosts}
        selection={selection}
        onSort={(sorting) => changeView({ sorting })}
        onShowAll={() => setFilter("")}
      />
      {selection.target === undefined ? null : (
        <BulkBar
          target={selection.target}
          count={selection.byFilter ? (total ?? rows.length) : selection.ids.size}
          all={selection.byFilter || total === selection.ids.size ? null : total}
          onAll={selection.chooseFilter}
          onClear={selection.clear}
        />
      )}
    </>
  );
}

/** The number of hosts and the pending changes. Its space is reserved, so that no row moves when changes appear. */
function CountLine({ hosts: { rows, total, entered, left, showMoved, list } }: { hosts: Hosts }) {
  return (
    <div className="count-line text-quiet text-compact">
      <p role="status">
        {list.isSuccess && rows.length > 0
          ? `${formatCount(rows.length)}${total === null ? "" : ` of ${formatCount(total)}`} hosts loaded`
          : ""}
      </p>
      {entered + left === 0 ? null : <Moved entered={entered} left={left} onShow={showMoved} />}
    </div>
  );
}

interface HostsHeadProps {
  view: HostsView;
  onChange: (change: Partial<HostsView>) => void;
}

/** The counts in words, acts on the whole list, and the saved views. */
function HostsHead({ view, onChange }: HostsHeadProps) {
  const trpc = useTRPC();
  const views = useQuery(trpc.hosts.views.queryOptions());
  const saved = useQuery(trpc.hosts.savedViews.queryOptions());
  useLiveRefresh(() => views.refetch(), { everyMs: countsMs });
  return (
    <>
      <div className="head">
        <h1>Hosts</h1>
        <span className="what">{views.data === undefined ? "" : formatHosts(views.data)}</span>
        <div className="acts">
          <EnrolLink />
          <Link className="btn plain" href={routes.gone.list()} prefetch={false}>
            Gone hosts
          </Link>
          <Link className="btn plain" href={routes.drives.list()} prefetch={false}>
            Drives
          </Link>
          <ViewMenu view={view} saved={saved.data ?? []} onChange={onChange} />
          <ColumnsMenu
            columns={hostColumns}
            hidden={view.hidden}
            onHidden={(hidden) => onChange({ hidden: new Set(columnIds.filter((id) => hidden.has(id))) })}
          />
          <a className="btn plain" href={csvHref(view)} download="hosts.csv">
            Export CSV
          </a>
        </div>
      </div>
      <Tabs
        label="Views"
        tabs={[
          ...(views.data ?? []).map(({ filter, words, count }) => ({
            href: hostsViewHref({ ...view, filter }),
            words,
            count: formatCount(count),
            current: filter === view.filter,
          })),
          ...(saved.data ?? []).map((own) => ({
            href: savedViewHref(own),
            words: own.name,
            current: savedViewHref(own) === hostsViewHref(view),
          })),
        ]}
      />
    </>
  );
}

/** Groups have no fixed height, so all rows are rendered and a button loads the next page. */
const byCause = (groupOf: (host: HostRow) => string, { list, more }: Hosts) => ({
  groupOf,
  groupsOrdered: true,
  paging: {
    label: "Show more hosts",
    hasMore: list.hasNextPage,
    busy: list.isFetchingNextPage,
    onMore: more,
  },
});

interface HostsTableProps {
  view: HostsView;
  hosts: Hosts;
  selection: ReturnType<typeof useSelection>;
  onSort: (sorting: HostsView["sorting"]) => void;
  onShowAll: () => void;
}

function HostsTable({ view, hosts, selection, onSort, onShowAll }: HostsTableProps) {
  const me = useMe();
  const router = useRouter();
  const [at, setAt] = useState<string | null>(null);
  const { rows, total, problem, more, list } = hosts;
  const setReading = useQuietUpdates(hosts, at !== null || selection.target !== undefined);
  const open = (id: string) => {
    const row = rows.find((candidate) => candidate.hostId === id);
    if (row !== undefined) router.push(routes.host(row.name));
  };
  const causeGroup = useCauseGroup(hosts);
  const boxes: TableSelection<HostRow> = {
    ...selection,
    label: (host) => `Select ${host.name}`,
    allLabel: `Select the ${rows.length} hosts loaded`,
  };
  const unread = list.isError ? (
    <ProblemNotice
      error={list.error}
      before="The hosts could not be read."
      onRetry={() => void list.refetch()}
    />
  ) : undefined;
  return (
    <DataTable
      caption="Hosts"
      fullWidth
      columns={hostColumns}
      rows={rows}
      rowId={rowId}
      total={total}
      hidden={view.hidden}
      sorting={view.sorting}
      onSort={(sorting) => {
        if (sorting !== null && isSortName(sorting.id))
          onSort({ id: sorting.id, descending: sorting.descending });
      }}
      cursor={{ id: at, onMove: setAt, onOpen: open }}
      selection={me.mayWriteHosts ? boxes : undefined}
      loading={list.isPending || list.isFetchingNextPage}
      {...(view.byCause ? byCause(causeGroup, hosts) : { virtual: { narrowRowPx: 77, onEnd: more } })}
      problem={unread}
      empty={
        list.isSuccess && problem === null ? (
          <NoHosts filtered={view.filter !== ""} onClear={onShowAll} />
        ) : null
      }
      onReading={setReading}
    />
  );
}

/** "98 of 4,018 need attention; 139 coming back". */
function formatHosts(views: readonly HostView[]): string {
  const count = (name: HostView["name"]) => formatCount(views.find((view) => view.name === name)?.count ?? 0);
  return `${count("needPerson")} of ${count("all")} need attention; ${count("comingBack")} coming back`;
}

/** Says which changes are pending while rows keep their place for the reader. */
function Moved({ entered, left, onShow }: { entered: number; left: number; onShow: () => void }) {
  const words =
    entered === 0
      ? `${formatCounted(left, "host")} left this view`
      : left === 0
        ? `${formatCounted(entered, "host")} entered this view`
        : `${formatCounted(entered, "host")} entered this view and ${left} left it`;
  return (
    <p>
      {words}.{" "}
      <button type="button" className="copy" onClick={onShow}>
        Show current list
      </button>
    </p>
  );
}

function NoHosts({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  return filtered ? (
    <Empty
      title="No host matches this filter"
      act={
        <button type="button" className="btn" onClick={onClear}>
          Show all hosts
        </button>
      }
    >
      Every term must match: {filterKeys.map((key) => `${key}:`).join(" ")} and free text for name or serial.
      A comma means or, an asterisk is a wildcard, a leading minus means not.
    </Empty>
  ) : (
    <Empty title="No hosts yet" act={<EnrolLink />}>
      Hosts appear here when they are enrolled: one with a form, or many with a CSV file.
    </Empty>
  );
}
