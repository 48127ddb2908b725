"use client";
// Security: what outsiders and machines tried, newest first. One event opens in a side panel.
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter, useSearchParams } from "next/navigation";
import { useCallback, useMemo, useState } from "react";
import { useMe } from "@/components/frame/me";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import {
  addressText,
  columnsBesidePanel,
  HostLink,
  securityColumns,
  SeverityLabel,
} from "@/components/access/security-events/security-columns";
import {
  listInput,
  parseSecurityView,
  searchOf,
  type SecurityView,
} from "@/components/access/security-events/security-view";
import { pagedTable } from "@/components/trpc/paged-table";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { formatCount, formatCounted } from "@/components/ui/format/numbers";
import { ListWithPanel, SidePanel } from "@/components/ui/side/side-panel";
import { DataTable } from "@/components/ui/table/data-table";
import { reachOf } from "@/server/domain/access/access";
import { routes } from "@/server/domain/console/routes";
import { Check, Field, Select, TextInput } from "@/components/ui/form/controls";
import {
  findSecurityEventKind,
  securityEventKinds,
  securityEventNames,
} from "@/server/domain/access/security-events/kinds";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { CopyButton } from "@/components/ui/copy-button";
import { type Fact, Facts } from "@/components/ui/head/facts";
import { Skeleton } from "@/components/ui/skeleton";
import { ProofTime } from "@/components/ui/time/time";
import type { SecurityEventLine } from "@/server/surfaces/trpc/types";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";

interface AcknowledgeEventsProps {
  readonly ids: readonly string[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Acknowledges security events with a note on what was found out. */
function AcknowledgeEvents({ ids, onClose, onDone }: AcknowledgeEventsProps) {
  const client = useTRPCClient();
  const what = ids.length === 1 ? "this security event" : formatCounted(ids.length, "security event");
  return (
    <ActDialog
      title={`Acknowledge ${what}?`}
      consequence="It stops alerting. If the same is tried again, that is a new event. Who acknowledged it, and the note, are in the audit log."
      confirmWords="Acknowledge"
      reason="What was found out, and what was done about it."
      send={({ reason }) => client.security.acknowledge.mutate({ ids: [...ids], note: reason })}
      said={({ acknowledged }) => `${formatCounted(acknowledged, "security event")} acknowledged`}
      onClose={onClose}
      onDone={onDone}
    />
  );
}

const lines = (texts: readonly string[]) => (
  <ul className="plain">
    {texts.map((text) => (
      <li key={text}>{text}</li>
    ))}
  </ul>
);

const factsOf = (event: SecurityEventLine): readonly Fact[] => [
  ["Severity", <SeverityLabel key="severity" event={event} />],
  ["Host", <HostLink key="host" event={event} />],
  ["Site", event.site ?? "none"],
  [
    "Address",
    <span key="address" className="mono">
      {addressText(event)}
    </span>,
  ],
  ["Count", formatCount(event.count)],
  ["First seen", <ProofTime key="first" at={event.firstAt} />],
  ["Last seen", <ProofTime key="last" at={event.lastAt} />],
  ["Tried", lines(event.tried)],
  ["On", lines(event.paths)],
  ...(event.acknowledged === null
    ? []
    : ([
        [
          "Acknowledged",
          <span key="acknowledged">
            <ProofTime at={event.acknowledged.at} /> by {event.acknowledged.by}
          </span>,
        ],
        ["Note", event.acknowledged.note ?? ""],
      ] satisfies readonly Fact[])),
  [
    "Id",
    <span key="id">
      <span className="mono">{event.id}</span> <CopyButton text={event.id} what="the id of the event" />
    </span>,
  ],
];

interface SecurityPanelProps {
  readonly id: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** One security event: what was tried, from where, how often, and what to do about it. */
function SecurityPanel({ id, onClose, onDone }: SecurityPanelProps) {
  const trpc = useTRPC();
  const me = useMe();
  const read = useQuery(trpc.security.get.queryOptions({ id }));
  const [isAsking, setAsking] = useState(false);
  const event = read.data;
  const may = reachOf(me.role, "security.acknowledge") !== "none";
  return (
    <SidePanel
      className="audit-panel"
      label="Security event"
      title={event?.title ?? "Security event"}
      what={event?.hostName ?? ""}
      onClose={onClose}
    >
      {read.isPending ? <Skeleton rows={8} /> : null}
      {read.isError ? (
        <ProblemNotice error={read.error} before="The security event could not be read." />
      ) : null}
      {event === undefined ? null : (
        <>
          <p>{event.sentence}</p>
          <Facts facts={factsOf(event)} />
          <h3>What to do</h3>
          <p>{event.whatToDo}</p>
          {may && event.acknowledged === null ? (
            <p>
              <Button onClick={() => setAsking(true)}>Acknowledge</Button>
            </p>
          ) : null}
          {isAsking ? (
            <AcknowledgeEvents
              ids={[event.id]}
              onClose={() => setAsking(false)}
              onDone={() => {
                void read.refetch();
                onDone();
              }}
            />
          ) : null}
        </>
      )}
    </SidePanel>
  );
}

const kinds = [
  { value: "", label: "all" },
  ...securityEventNames.map((name) => ({ value: name, label: securityEventKinds[name].title })),
];

interface SecurityFilterProps {
  readonly view: SecurityView;
  readonly onSearch: (change: Partial<SecurityView>) => void;
}

/** Keyed by the view, so that a filter from the URL resets the form. */
function SecurityFilter({ view, onSearch }: SecurityFilterProps) {
  const [host, setHost] = useState(view.host);
  const [address, setAddress] = useState(view.address);
  return (
    <search>
      <form
        className="audit-filter open"
        aria-label="Filter security events"
        onSubmit={(event) => {
          event.preventDefault();
          onSearch({ host: host.trim(), address: address.trim() });
        }}
      >
        <Field label="Kind">
          {(aria) => (
            <Select
              aria={aria}
              value={view.kind ?? ""}
              options={kinds}
              onChange={(value) => onSearch({ kind: findSecurityEventKind(value) })}
            />
          )}
        </Field>
        <Field label="Host">
          {(aria) => <TextInput aria={aria} value={host} onChange={setHost} placeholder="Name, or id" />}
        </Field>
        <Field label="Address">
          {(aria) => (
            <TextInput
              aria={aria}
              value={address}
              onChange={setAddress}
              placeholder="In full"
              data-filter=""
            />
          )}
        </Field>
        <Check checked={view.all} onChange={(all) => onSearch({ all })}>
          Also acknowledged
        </Check>
        <Button type="submit">Filter</Button>
      </form>
    </search>
  );
}

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
