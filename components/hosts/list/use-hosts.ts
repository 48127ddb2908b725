"use client";
// The rows of the hosts page: loaded page by page, and updated in place by live changes.
import { keepPreviousData, useInfiniteQuery, useQueryClient, type InfiniteData } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useLive } from "@/components/live/live-provider";
import { useMore } from "@/components/ui/table/use-more";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import type { HostList, HostRow } from "@/server/surfaces/trpc/types";
import type { HostSorting, HostsView } from "@/components/hosts/list/hosts-view";
import { hostsQuery } from "@/components/hosts/list/hosts-query";

/** Maximum number of ids per call. */
const maxIds = 200;
const patchMs = 500;
/** Delay before a failed read is retried. */
const againMs = 10_000;

/** The newer of two readings of a host, so that a late answer never overwrites a newer row. */
const newer = (before: HostRow, after: HostRow) =>
  BigInt(after.stateVersion) < BigInt(before.stateVersion) ? before : after;

/** Writes fresh rows over the loaded ones, in place. Pure. */
export function patchPages(
  data: InfiniteData<HostList, string | null>,
  fresh: ReadonlyMap<string, HostRow>,
): InfiniteData<HostList, string | null> {
  return {
    ...data,
    pages: data.pages.map((page) => ({
      ...page,
      rows: page.rows.map((row) => {
        const after = fresh.get(row.hostId);
        return after === undefined ? row : newer(row, after);
      }),
    })),
  };
}

/** The rows of all pages, deduplicated: a host that moved between two page reads is on both pages. */
function uniqueRows(pages: readonly HostList[]): HostRow[] {
  const byId = new Map<string, HostRow>();
  for (const row of pages.flatMap((page) => page.rows)) if (!byId.has(row.hostId)) byId.set(row.hostId, row);
  return [...byId.values()];
}

interface Moved {
  /** The view that these ids belong to. */
  view: string;
  entered: ReadonlySet<string>;
  left: ReadonlySet<string>;
}

const nothingMoved: Moved = { view: "", entered: new Set(), left: new Set() };

/** Calls the newest `patch` with the ids of changed hosts, batched, with at most `maxIds` per call. */
function useGathered(
  loaded: () => readonly string[],
  patch: (ids: readonly string[]) => Promise<void>,
): void {
  const pending = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const open = useRef(true);
  useEffect(() => {
    open.current = true;
    return () => {
      open.current = false;
      clearTimeout(timer.current);
    };
  }, []);
  const newest = useRef(patch);
  useEffect(() => {
    newest.current = patch;
  });
  const plan = (afterMs = patchMs) => void (timer.current ??= setTimeout(() => void take(), afterMs));
  const take = async () => {
    timer.current = undefined;
    const ids = [...pending.current];
    const now = ids.slice(0, maxIds);
    pending.current = new Set(ids.slice(maxIds));
    if (pending.current.size > 0) plan();
    try {
      await newest.current(now);
    } catch {
      // The top bar shows that the server is unreachable. Retry here, because on a quiet site no other change would trigger an update.
      for (const id of now) pending.current.add(id);
      if (open.current) plan(againMs);
    }
  };
  useLive((changes) => {
    for (const id of changes.everything ? loaded() : changes.hostIds) pending.current.add(id);
    if (pending.current.size > 0) plan();
  });
}

/** The cached list, and functions that update its rows. */
function useHostList(view: Pick<HostsView, "filter" | "sorting" | "byCause">) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const options = trpc.hosts.list.infiniteQueryOptions(hostsQuery(view), {
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  });
  const list = useInfiniteQuery(options);
  const rows = useMemo(() => uniqueRows(list.data?.pages ?? []), [list.data]);
  const write = (fresh: readonly HostRow[]) => {
    const byId = new Map(fresh.map((row) => [row.hostId, row]));
    queryClient.setQueryData(options.queryKey, (data) =>
      data === undefined ? undefined : patchPages(data, byId),
    );
  };
  const readAgain = useCallback(() => {
    queryClient.setQueryData(options.queryKey, (data) =>
      data === undefined
        ? undefined
        : { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
    );
    void queryClient.invalidateQueries({ queryKey: options.queryKey });
  }, [queryClient, options.queryKey]);
  const more = useMore(list);
  return { list, rows, write, readAgain, more };
}

/**
 * The hosts of a view. `entered` counts hosts that now match but are not among the rows, `left` counts rows that no longer match. Rows keep
 * their place until `showMoved` reloads the list in order.
 */
export function useHosts(shown: Pick<HostsView, "filter" | "sorting" | "byCause">) {
  const { filter, sorting } = shown;
  const client = useTRPCClient();
  const { list, rows, write, readAgain, more } = useHostList(shown);
  const view = JSON.stringify([filter, sorting]);
  const [moved, setMoved] = useState(nothingMoved);
  const patch = async (ids: readonly string[]) => {
    const loaded = new Set(rows.map((row) => row.hostId));
    const known = ids.filter((id) => loaded.has(id));
    const [fresh, members] = await Promise.all([
      known.length === 0 ? [] : client.hosts.rows.query({ hostIds: known }),
      client.hosts.rows.query({ hostIds: [...ids], filter }),
    ]);
    if (fresh.length > 0) write(fresh);
    const last = list.hasNextPage ? rows.at(-1) : undefined;
    const entered = members.filter(
      (row) => !loaded.has(row.hostId) && (last === undefined || sortsBefore(row, last, sorting)),
    );
    const memberIds = new Set(members.map((row) => row.hostId));
    const left = known.filter((id) => !memberIds.has(id));
    setMoved((before) =>
      moveOn(
        before.view === view ? before : { ...nothingMoved, view },
        ids,
        new Set(entered.map((row) => row.hostId)),
        new Set(left),
      ),
    );
  };
  useGathered(() => rows.map((row) => row.hostId), patch);
  const showMoved = useCallback(() => {
    setMoved(nothingMoved);
    readAgain();
  }, [readAgain]);
  const current = moved.view === view ? moved : nothingMoved;
  const first = list.data?.pages[0];
  return {
    rows,
    total: first?.total ?? null,
    groups: first?.groups ?? null,
    problem: first?.problem ?? null,
    entered: current.entered.size,
    left: current.left.size,
    showMoved,
    more,
    list,
  };
}

export type Hosts = ReturnType<typeof useHosts>;

/** Updates the pending moves after some hosts were looked at again. Pure. */
export function moveOn(
  before: Moved,
  seen: readonly string[],
  entered: ReadonlySet<string>,
  left: ReadonlySet<string>,
): Moved {
  const update = (old: ReadonlySet<string>, now: ReadonlySet<string>) =>
    new Set([...[...old].filter((id) => !seen.includes(id)), ...now]);
  return { view: before.view, entered: update(before.entered, entered), left: update(before.left, left) };
}

/** Whether a row sorts before `last`, the end of the loaded rows. Approximate: the server's order applies when the list is read. Pure. */
export function sortsBefore(row: HostRow, last: HostRow, { id, descending }: HostSorting): boolean {
  const key = (host: HostRow): number | string =>
    id === "name"
      ? host.name
      : id === "since"
        ? -host.stateSince.getTime()
        : -(host.lastReadyAt?.getTime() ?? 0);
  return descending ? key(row) > key(last) : key(row) < key(last);
}
