"use client";
// Repairs: the queue, hosts being repaired, outcomes, and repeat offenders; one host opens in a side panel.
import { useAddressView } from "@/components/ui/resource-table/address-view";
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { useMe } from "@/components/frame/me";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import {
  ClaimDialog,
  OutcomeDialog,
  ReleaseRepairDialog,
  type Claimed,
} from "@/components/repair/repair-dialogs";
import { HostPanel } from "@/components/repair/host-panel";
import { HeldList, OffendersList, QueueList } from "@/components/repair/repair-lists";
import { OutcomesTab } from "@/components/repair/outcomes-tab";
import { parseRepairView, queueQuery, repairTabs, type RepairView } from "@/components/repair/repair-view";
import { useTRPC } from "@/components/trpc/trpc";
import { usePagedList, wholeList } from "@/components/ui/resource-table/resource-list";
import { ListWithPanel } from "@/components/ui/side/side-panel";
import { Tabs } from "@/components/ui/tabs";
import { routes } from "@/server/domain/console/routes";
import type { HeldRow, QueueRow } from "@/server/surfaces/trpc/types";
import type { StandingRequest } from "@/server/domain/repair/effects";

const nobodyAsks: StandingRequest = { requested: false, reported: false };
const refreshMs = 3_000;

const repairHref = ({ tab, host }: RepairView): string => routes.repair({ tab, host: host ?? undefined });

/** The two lists whose rows have acts. */
function useLists() {
  const trpc = useTRPC();
  const queue = useInfiniteQuery(
    trpc.repair.queue.infiniteQueryOptions(queueQuery, { getNextPageParam: (page) => page.nextCursor }),
  );
  const held = useQuery(trpc.repair.held.queryOptions());
  useLiveRefresh(() => Promise.all([queue.refetch(), held.refetch()]), { everyMs: refreshMs });
  return { queue, held };
}

type Asked =
  | { readonly act: "claim"; readonly host: Claimed }
  | { readonly act: "outcome" | "release"; readonly row: HeldRow };

type Lists = ReturnType<typeof useLists>;

const queueRows = {
  rowsOf: ({ rows }: { readonly rows: readonly QueueRow[] }) => rows,
  rowId: ({ host }: QueueRow) => host,
  totalOf: ({ total }: { readonly total: number | null }) => total,
};

export function RepairPage() {
  const me = useMe();
  const [view, change] = useAddressView(parseRepairView, repairHref);
  const lists = useLists();
  const [asked, setAsked] = useState<Asked | null>(null);
  const open = useCallback(
    (host: string) => change({ host: view.host === host ? null : host }),
    [change, view.host],
  );
  const ofProvider = me.tenant === null;
  const claim = useCallback(
    ({ host, hostId, requested, reported }: Claimed) =>
      setAsked({ act: "claim", host: { host, hostId, requested, reported } }),
    [],
  );
  const queue = usePagedList(lists.queue, queueRows);
  const outcome = useCallback((row: HeldRow) => setAsked({ act: "outcome", row }), []);
  const release = useCallback((row: HeldRow) => setAsked({ act: "release", row }), []);
  const listed = { open: view.host, onToggle: open };
  const released = (host: string) => view.host === host && change({ host: null });
  return (
    <>
      <RepairHead lists={lists} view={view} ofProvider={ofProvider} />
      <ListWithPanel
        label="Repairs"
        className="repair-list"
        panel={
          view.host === null ? null : (
            <HostPanel
              key={view.host}
              host={view.host}
              onClose={() => change({ host: null })}
              onClaim={ofProvider ? undefined : (each) => claim({ ...nobodyAsks, ...each, ...each.asks })}
            />
          )
        }
      >
        {view.tab === "queue" ? (
          <QueueList {...listed} list={queue} onClaim={ofProvider ? undefined : claim} />
        ) : null}
        {view.tab === "held" ? (
          <HeldList
            {...listed}
            list={wholeList(lists.held, lists.held.data)}
            onOutcome={outcome}
            onRelease={release}
          />
        ) : null}
        {view.tab === "outcomes" ? <OutcomesTab /> : null}
        {view.tab === "offenders" ? <OffendersList {...listed} /> : null}
        {ofProvider ? null : (
          <p className="after text-quiet">
            Shows hosts that need repair and hosts that you hold. Former tenants stay hidden; their issue is
            shown as they wrote it.
          </p>
        )}
      </ListWithPanel>
      <Asking asked={asked} onClose={() => setAsked(null)} onReleased={released} />
    </>
  );
}

interface RepairHeadProps {
  readonly lists: Lists;
  readonly view: RepairView;
  readonly ofProvider: boolean;
}

function RepairHead({ lists: { queue, held }, view, ofProvider }: RepairHeadProps) {
  const first = queue.data?.pages[0];
  const words = {
    queue: "Queue",
    held: ofProvider ? "Being repaired" : "Held by us",
    outcomes: "Outcomes",
    offenders: "Repeat offenders",
  };
  const counts = { queue: first?.total, held: held.data?.length, outcomes: undefined, offenders: undefined };
  return (
    <>
      <div className="head">
        <h1>Repair</h1>
        <span className="what">
          {first === undefined
            ? ""
            : `${first.total} in the queue, ${first.claimable} ready to claim; ${ofProvider ? "" : "you hold "}${held.data?.length ?? 0}${ofProvider ? " being repaired" : ""}`}
        </span>
        <div className="acts">
          <a
            className="btn plain"
            href={routes.files.repairCsv(view.tab)}
            download={`repair-${view.tab}.csv`}
          >
            CSV
          </a>
        </div>
      </div>
      <Tabs
        label="Repair"
        tabs={repairTabs.map((tab) => ({
          href: routes.repair({ tab, host: view.host ?? undefined }),
          words: words[tab],
          count: counts[tab] === undefined ? undefined : String(counts[tab]),
          current: tab === view.tab,
        }))}
      />
    </>
  );
}

/** The open dialog. */
interface AskingProps {
  readonly asked: Asked | null;
  readonly onClose: () => void;
  /** Called after a release, when the panel has nothing left to show. */
  readonly onReleased: (host: string) => unknown;
}

function Asking({ asked, onClose, onReleased }: AskingProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  if (asked === null) return null;
  const done = () => {
    void client.invalidateQueries({ queryKey: trpc.repair.pathKey() });
    void client.invalidateQueries({ queryKey: trpc.instances.pathKey() });
  };
  switch (asked.act) {
    case "claim":
      return <ClaimDialog host={asked.host} onClose={onClose} onDone={done} />;
    case "outcome":
      return <OutcomeDialog row={asked.row} onClose={onClose} onDone={done} />;
    case "release": {
      const released = () => {
        onReleased(asked.row.host);
        done();
      };
      return <ReleaseRepairDialog row={asked.row} onClose={onClose} onDone={released} />;
    }
  }
}
