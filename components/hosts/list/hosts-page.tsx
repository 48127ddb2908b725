"use client";
// The hosts page: saved views, filter, table, shortcuts, selection. The URL holds all choices.
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter, useSearchParams } from "next/navigation";
import { useCallback, useEffect, useMemo, useState } from "react";
import { EnrolLink } from "@/components/hosts/enrolment/enrol-link";
import { useAskedAct } from "@/components/frame/asked-act";
import { useMe } from "@/components/frame/me";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { formatCount, formatCounted } from "@/server/domain/numbers";
import { Empty } from "@/components/ui/empty";
import { ColumnsMenu } from "@/components/ui/table/columns-menu";
import { DataTable } from "@/components/ui/table/data-table";
import type { TableSelection } from "@/components/ui/table/table-head";
import { Tabs } from "@/components/ui/tabs";
import { bulkIntents, type BulkIntent } from "@/server/domain/hosts/bulk-intents";
import { filterKeys } from "@/server/domain/hosts/host-filter";
import type { HostList, HostRow, HostView, SavedView } from "@/server/surfaces/trpc/types";
import { BulkBar } from "@/components/hosts/list/bulk-bar";
import { columnIds } from "@/components/hosts/list/column-looks";
import { hostColumns } from "@/components/hosts/list/columns";
import { FilterBar } from "@/components/hosts/list/filter-bar";
import { routes } from "@/server/domain/console/routes";
import {
  csvHref,
  type HostsView,
  hostsViewHref,
  isSortName,
  parseHostsView,
  savedViewHref,
  sortOf,
} from "@/components/hosts/list/hosts-view";
import { type Hosts, useHosts } from "@/components/hosts/list/use-hosts";
import type { BulkTarget } from "@/components/hosts/bulk/bulk-dialog";
import { causeGroupOf } from "@/server/domain/hosts/cause-groups";
import { z } from "zod";
import { Button } from "@/components/ui/button";
import { ActDialog, ActFormDialog, type Stale } from "@/components/ui/dialogs/act-dialog";
import { Menu, MenuAct, MenuCheck, MenuRule } from "@/components/ui/menu";

interface ViewMenuProps {
  view: HostsView;
  saved: readonly SavedView[];
  onChange: (change: Partial<HostsView>) => void;
}

/** A view's URL is the page's own, so it can be shared. */
function ViewMenu({ view, saved, onChange }: ViewMenuProps) {
  const [dialog, setDialog] = useState<"save" | SavedView | null>(null);
  const shown = saved.find((own) => savedViewHref(own) === hostsViewHref(view));
  const close = () => setDialog(null);
  return (
    <>
      <Menu trigger={<Button kind="plain">View</Button>}>
        <MenuCheck checked={view.byCause} onChange={(byCause) => onChange({ byCause })}>
          Group by cause
        </MenuCheck>
        <MenuRule />
        <MenuAct onSelect={() => setDialog("save")}>Save this view…</MenuAct>
        <MenuAct
          onSelect={() => setDialog(shown ?? null)}
          disabledReason={shown === undefined ? "Open one of your saved views first" : undefined}
        >
          {shown === undefined ? "Delete view…" : `Delete ${shown.name}…`}
        </MenuAct>
      </Menu>
      {dialog === "save" ? <SaveViewDialog view={view} onClose={close} /> : null}
      {dialog === null || dialog === "save" ? null : (
        <ActDialog
          title={`Delete the view ${dialog.name}?`}
          consequence="It is removed from your views. Links to it keep working."
          confirmWords="Delete view"
          send={(_, client) => client.hosts.removeView.mutate({ id: dialog.id })}
          said={`View ${dialog.name} deleted`}
          stale={stale}
          onClose={close}
        />
      )}
    </>
  );
}

const stale: Stale = (trpc) => [trpc.hosts.savedViews];
const schema = z.object({ name: z.string().trim().min(1, "Enter a name").max(64, "At most 64 characters") });

/** Mounted anew each time it opens. */
const SaveViewDialog = ({ view, onClose }: { view: HostsView; onClose: () => void }) => (
  <ActFormDialog
    title="Save this view"
    consequence="Saves the filter, order, columns and grouping under this name, for you only. A view of the same name is replaced. To share a view, send its address."
    confirmWords="Save view"
    schema={schema}
    values={{ name: "" }}
    fields={{ name: { label: "Name" } }}
    send={({ name }, client) =>
      client.hosts.saveView.mutate({
        name,
        filter: view.filter,
        sort: sortOf(view) ?? null,
        hide: [...view.hidden],
        group: view.byCause ? "cause" : null,
      })
    }
    said={(_, { name }) => `View ${name} saved`}
    stale={stale}
    onClose={onClose}
  />
);

// Hosts grouped by cause: every group of the filter with its count, and the group headers between rows.
/** A group's header: how many hosts match in it and, if not all are loaded, how many are. */
function useCauseGroup({ rows, groups }: Hosts): (host: HostRow) => string {
  const heads = useMemo(() => {
    const loaded = new Map<string, number>();
    for (const host of rows) loaded.set(causeGroupOf(host), (loaded.get(causeGroupOf(host)) ?? 0) + 1);
    const counted = new Map(groups?.map(({ words, count }) => [words, count]));
    return new Map(
      [...loaded].map(([words, here]) => {
        const count = Math.max(here, counted.get(words) ?? 0);
        return [words, `${words}: ${formatCounted(count, "host")}${here < count ? `, ${here} loaded` : ""}`];
      }),
    );
  }, [rows, groups]);
  return (host) => heads.get(causeGroupOf(host)) ?? causeGroupOf(host);
}

/** Every group of the filter with its count, including groups without a loaded host; each links to its hosts. */
function CauseGroups({ view, groups }: { view: HostsView; groups: NonNullable<HostList["groups"]> }) {
  return (
    <ul className="cause-groups" aria-label="Causes">
      {groups.map(({ words, count, filter }) => (
        <li key={words}>
          <b className="text-medium">{formatCount(count)}</b>{" "}
          {filter === null ? (
            words
          ) : (
            <Link
              className="link"
              href={hostsViewHref({ ...view, filter: `${view.filter} ${filter}`.trim() })}
              prefetch={false}
            >
              {words}
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
}

type Chosen = { ids: ReadonlySet<string>; filter: string | null };

const none: Chosen = { ids: new Set(), filter: null };

/** `ids` are the loaded rows. A selection by filter ends when the filter changes; selected ids that left the list stay selected until cleared. */
function useSelection(ids: readonly string[], filter: string) {
  const [chosen, setChosen] = useState<Chosen>(none);
  const byFilter = chosen.filter === filter;
  const selected = useMemo(
    () => (byFilter ? new Set(ids) : chosen.filter === null ? chosen.ids : none.ids),
    [byFilter, ids, chosen],
  );
  const toggle = useCallback(
    (id: string) => {
      const after = new Set(selected);
      if (!after.delete(id)) after.add(id);
      setChosen({ ids: after, filter: null });
    },
    [selected],
  );
  const target = useMemo(
    (): BulkTarget | undefined =>
      byFilter ? { filter } : selected.size === 0 ? undefined : { hostIds: [...selected] },
    [byFilter, filter, selected],
  );
  return {
    ids: selected,
    byFilter,
    target,
    toggle,
    toggleAll: () =>
      setChosen(ids.every((id) => selected.has(id)) ? none : { ids: new Set(ids), filter: null }),
    chooseFilter: () => setChosen({ ids: new Set(), filter }),
    clear: () => setChosen(none),
  };
}

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
  const me = useMe();
  const [asked, setAsked] = useState<BulkIntent>();
  const [askedFor, setAskedFor] = useState(view.filter);
  // The dialog was opened for the hosts of that filter. It must not come back for others that are selected later.
  if (askedFor !== view.filter) {
    setAskedFor(view.filter);
    setAsked(undefined);
  }
  useAskedAct("act", (name) => {
    const intent = bulkIntents.find((known) => known === name);
    // A cleaning has a page of its own.
    if (intent === undefined || intent === "clean" || !me.mayWriteHosts) return;
    selection.chooseFilter();
    setAsked(intent);
  });
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
          asked={asked}
          onAsk={setAsked}
          all={selection.byFilter || total === selection.ids.size ? null : total}
          onAll={selection.chooseFilter}
          onClear={() => {
            setAsked(undefined);
            selection.clear();
          }}
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
            Removed hosts
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
      Hosts appear here when they are enrolled: one with a form, or many with a list.
    </Empty>
  );
}
