"use client";
// Assurance: due procedures, records awaiting sign-off (one of them open in a side panel), exceptions, dispositions,
// site changes, and a calendar of what expires when.
import { useAddressView } from "@/components/ui/resource-table/address-view";
import { useInfiniteQuery } from "@tanstack/react-query";
import {
  assuranceTabs,
  changeQuery,
  dispositionQuery,
  dueQuery,
  exceptionQuery,
  idOf,
  parseAssuranceView,
  waitingQuery,
  type AssuranceView,
} from "@/components/assurance/assurance-view";
import { CalendarTab } from "@/components/assurance/calendar/calendar-tab";
import { DispositionsTab } from "@/components/assurance/dispositions-tab";
import { dueId, DueTab } from "@/components/assurance/due-tab";
import { ExceptionsTab } from "@/components/assurance/exceptions/exceptions-tab";
import { PolicyChangesTab } from "@/components/assurance/policy-changes/policy-changes-tab";
import { RecordPanel } from "@/components/assurance/record-panel";
import { recordOf, SignOffTable } from "@/components/assurance/sign-off-table";
import { useMe } from "@/components/frame/me";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { useItems, type ResourceList } from "@/components/ui/resource-table/resource-list";
import { ListWithPanel } from "@/components/ui/side/side-panel";
import { formatCounted } from "@/server/domain/numbers";
import { Tabs } from "@/components/ui/tabs";
import { reachOf } from "@/server/domain/access/access";
import { routes } from "@/server/domain/console/routes";
import type { ApprovalLine } from "@/server/surfaces/trpc/types";

const refreshMs = 3_000;

const assuranceHref = ({ tab, open, late }: AssuranceView): string =>
  routes.assurance({ tab, open: open ?? undefined, late });

/** The over-limit filter applies only to the tab it was set on. */
const lateIn = ({ tab, late }: AssuranceView, shown: AssuranceView["tab"]): { overLimit?: true } =>
  late && tab === shown ? { overLimit: true } : {};

function useLists(view: AssuranceView) {
  const trpc = useTRPC();
  const due = useInfiniteQuery(
    trpc.procedures.due.infiniteQueryOptions(
      { ...dueQuery, ...lateIn(view, "due") },
      { getNextPageParam: (page) => page.nextCursor },
    ),
  );
  const waiting = useInfiniteQuery(
    trpc.approvals.list.infiniteQueryOptions(
      { ...waitingQuery, ...lateIn(view, "sign-off") },
      { getNextPageParam: (page) => page.nextCursor },
    ),
  );
  const dispositions = useInfiniteQuery(
    trpc.approvals.list.infiniteQueryOptions(dispositionQuery, {
      getNextPageParam: (page) => page.nextCursor,
    }),
  );
  const exceptions = useInfiniteQuery(
    trpc.exceptions.list.infiniteQueryOptions(exceptionQuery, {
      getNextPageParam: (page) => page.nextCursor,
    }),
  );
  const changes = useInfiniteQuery(
    trpc.policyChanges.list.infiniteQueryOptions(changeQuery, {
      getNextPageParam: (page) => page.nextCursor,
    }),
  );
  const reads = [due, waiting, exceptions, dispositions, changes];
  const refetch = () => Promise.all(reads.map((read) => read.refetch()));
  useLiveRefresh(refetch, { everyMs: refreshMs });
  return {
    due: useItems(due, dueId),
    waiting: useItems(waiting, recordOf),
    exceptions: useItems(exceptions, idOf),
    dispositions: useItems(dispositions, idOf),
    changes: useItems(changes, idOf),
    refetch,
  };
}

type Lists = ReturnType<typeof useLists>;

export function AssurancePage() {
  const me = useMe();
  const [view, change] = useAddressView(parseAssuranceView, assuranceHref);
  const lists = useLists(view);
  const refetch = () => void lists.refetch();
  const mayRecord = reachOf(me.role, "assurance.record") !== "none";
  const csv = view.tab === "exceptions" ? "exceptions" : view.tab === "calendar" ? "ending" : undefined;
  const panel = view.tab === "sign-off" ? view.open : null;
  return (
    <>
      <div className="head">
        <h1>Assurance</h1>
        <span className="what">{waitingText(lists.waiting.rows)}</span>
        {csv === undefined ? null : (
          <div className="acts">
            <a className="btn plain" href={routes.files.assuranceCsv(csv)} download={`${csv}.csv`}>
              {tabLabels[view.tab]} as CSV
            </a>
          </div>
        )}
      </div>
      <AssuranceTabs view={view} lists={lists} />
      <ListWithPanel
        label="Assurance"
        panel={
          panel === null ? null : (
            <RecordPanel
              key={panel}
              recordId={panel}
              onClose={() => change({ open: null })}
              onDone={refetch}
            />
          )
        }
      >
        {view.tab === "due" || view.tab === "sign-off" ? (
          <LateFilter late={view.late} onChange={(late) => change({ late, open: null })} />
        ) : null}
        {view.tab === "due" ? <DueTab list={lists.due} mayRecord={mayRecord} onDone={refetch} /> : null}
        {view.tab === "sign-off" ? (
          <SignOffTable
            list={lists.waiting}
            open={view.open}
            onToggle={(id) => change({ open: view.open === id ? null : id })}
          />
        ) : null}
        {view.tab === "exceptions" ? <ExceptionsTab list={lists.exceptions} onDone={refetch} /> : null}
        {view.tab === "dispositions" ? <DispositionsTab list={lists.dispositions} onDone={refetch} /> : null}
        {view.tab === "changes" ? <PolicyChangesTab list={lists.changes} onDone={refetch} /> : null}
        {view.tab === "calendar" ? <CalendarTab /> : null}
      </ListWithPanel>
    </>
  );
}

interface LateFilterProps {
  readonly late: boolean;
  readonly onChange: (late: boolean) => void;
}

const LateFilter = ({ late, onChange }: LateFilterProps) => (
  <p className="assurance-filter">
    <Button small aria-pressed={late} onClick={() => onChange(!late)}>
      Over 24 h only
    </Button>
  </p>
);

function waitingText(rows: readonly ApprovalLine[]): string {
  if (rows.length === 0) return "nothing awaits sign-off";
  const mine = rows.filter(({ mayDecide }) => mayDecide).length;
  return `${formatCounted(rows.length, "record")} awaiting sign-off: ${mine} you may sign, ${rows.filter(({ own }) => own).length} of your own`;
}

interface TabsProps {
  readonly view: AssuranceView;
  readonly lists: Lists;
}

/** Marked when there are more than were loaded. */
const countOf = ({ loading, rows, hasMore, error }: ResourceList<unknown>): string | undefined =>
  loading || (error !== null && rows.length === 0) ? undefined : `${rows.length}${hasMore ? "+" : ""}`;

const tabLabels = {
  due: "Procedures due",
  "sign-off": "Awaiting sign-off",
  exceptions: "Exceptions",
  dispositions: "Dispositions",
  changes: "Policy changes",
  calendar: "Calendar",
} as const;

function AssuranceTabs({ view, lists }: TabsProps) {
  const counts = {
    due: countOf(lists.due),
    "sign-off": countOf(lists.waiting),
    exceptions: countOf(lists.exceptions),
    dispositions: countOf(lists.dispositions),
    changes: countOf(lists.changes),
    calendar: undefined,
  };
  return (
    <Tabs
      label="Assurance"
      tabs={assuranceTabs.map((tab) => ({
        href: routes.assurance({ tab }),
        words: tabLabels[tab],
        count: counts[tab],
        current: tab === view.tab,
      }))}
    />
  );
}
