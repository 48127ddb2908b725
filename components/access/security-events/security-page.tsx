"use client";
// Security: what outsiders and machines tried, newest first. One event opens in a side panel.
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter, useSearchParams } from "next/navigation";
import { useCallback, useMemo, useState } from "react";
import { useMe } from "@/components/frame/me";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { AcknowledgeEvents } from "@/components/access/security-events/acknowledge-events";
import { columnsBesidePanel, securityColumns } from "@/components/access/security-events/security-columns";
import { SecurityFilter } from "@/components/access/security-events/security-filter";
import { SecurityPanel } from "@/components/access/security-events/security-panel";
import {
  listInput,
  parseSecurityView,
  searchOf,
  type SecurityView,
} from "@/components/access/security-events/security-view";
import { pagedTable } from "@/components/trpc/paged-table";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { formatCounted } from "@/components/ui/format/numbers";
import { ListWithPanel } from "@/components/ui/side/side-panel";
import { DataTable } from "@/components/ui/table/data-table";
import { reachOf } from "@/server/domain/access/access";
import { routes } from "@/server/domain/console/routes";

const refreshMs = 5_000;

/** Reads the view from the URL and writes it back. */
function useSecurityView(): [SecurityView, (change: Partial<SecurityView>) => void] {
  const router = useRouter();
  const params = useSearchParams();
  const view = useMemo(() => parseSecurityView(params), [params]);
  const change = useCallback(
    (changed: Partial<SecurityView>) => {
      const next = { ...view, ...changed };
      router.replace(routes.security({ ...searchOf(next), open: next.open ?? undefined }), { scroll: false });
    },
    [router, view],
  );
  return [view, change];
}

/** The events that the view asks for, read again while the page is open. */
function useSecurityEvents(view: SecurityView) {
  const trpc = useTRPC();
  const list = useInfiniteQuery(
    trpc.security.list.infiniteQueryOptions(listInput(view), {
      getNextPageParam: ({ nextCursor }) => nextCursor,
      initialCursor: null,
    }),
  );
  useLiveRefresh(() => list.refetch(), { everyMs: refreshMs });
  return list;
}

/** @param props.open the events on the page that nobody has acknowledged */
function SecurityHead({
  view,
  open,
  onAcknowledge,
}: {
  readonly view: SecurityView;
  readonly open: readonly string[];
  readonly onAcknowledge: (ids: readonly string[]) => void;
}) {
  const me = useMe();
  return (
    <div className="head">
      <h1>Security events</h1>
      <span className="what">what was tried against hosts and their evidence, and from where</span>
      <div className="acts">
        {reachOf(me.role, "security.acknowledge") === "none" || open.length === 0 ? null : (
          <Button onClick={() => onAcknowledge(open.slice(0, 500))}>
            {`Acknowledge ${formatCounted(Math.min(open.length, 500), "event")}`}
          </Button>
        )}
        <a
          className="btn plain"
          href={routes.files.securityEventsCsv(searchOf(view))}
          download="security-events.csv"
        >
          Events as CSV
        </a>
      </div>
    </div>
  );
}

export function SecurityPage() {
  const trpc = useTRPC();
  const cache = useQueryClient();
  const [view, change] = useSecurityView();
  const [at, setAt] = useState<string | null>(null);
  const [asked, setAsked] = useState<readonly string[] | null>(null);
  const list = useSecurityEvents(view);
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  const open = rows.flatMap(({ id, acknowledged }) => (acknowledged === null ? [id] : []));
  const refresh = () => void cache.invalidateQueries({ queryKey: trpc.security.pathKey() });
  const toggle = (id: string) => change({ open: view.open === id ? null : id });
  return (
    <>
      <SecurityHead view={view} open={open} onAcknowledge={setAsked} />
      <ListWithPanel
        label="Security events"
        className="audit-list"
        panel={
          view.open === null ? null : (
            <SecurityPanel
              key={view.open}
              id={view.open}
              onClose={() => change({ open: null })}
              onDone={refresh}
            />
          )
        }
      >
        <SecurityFilter
          key={`${view.host} ${view.address}`}
          view={view}
          onSearch={(changed) => change({ ...changed, open: null })}
        />
        <DataTable
          caption="Security events"
          fullWidth
          columns={view.open === null ? securityColumns : columnsBesidePanel}
          rows={rows}
          rowId={({ id }) => id}
          cursor={{ id: at, onMove: setAt, onOpen: toggle, opensOnClick: true }}
          rowClassName={({ id }) => (id === view.open ? "at" : undefined)}
          {...pagedTable(list, {
            before: "The security events could not be read.",
            more: "Show more events",
          })}
          empty={
            <Empty title={view.all ? "No security events" : "No open security events"}>
              Refused boot requests, forged reports and voided erases appear here with their address.
            </Empty>
          }
        />
      </ListWithPanel>
      {asked === null ? null : (
        <AcknowledgeEvents ids={asked} onClose={() => setAsked(null)} onDone={refresh} />
      )}
    </>
  );
}
