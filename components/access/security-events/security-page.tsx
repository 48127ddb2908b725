"use client";
// Security: what outsiders and machines tried, newest first. One event opens in a side panel.
import { useAddressView } from "@/components/ui/resource-table/address-view";
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
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
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { formatCount, formatCounted } from "@/server/domain/numbers";
import { ListWithPanel, SidePanel } from "@/components/ui/side/side-panel";
import { useRows } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
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
/** The parameters of the page's own filter in its address. */
const filterParameters = ["kind", "host", "address", "show"];
/** As many events as can be acknowledged at once. */
const mostIds = 500;

const securityHref = (view: SecurityView): string =>
  routes.security({ ...searchOf(view), open: view.open ?? undefined });

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
  return useRows(list);
}

/** @param props.selected the events to acknowledge; null: this person may not */
function SecurityHead({
  view,
  selected,
  onAcknowledge,
}: {
  readonly view: SecurityView;
  readonly selected: readonly string[] | null;
  readonly onAcknowledge: () => void;
}) {
  return (
    <div className="head">
      <h1>Security events</h1>
      <span className="what">what was tried against hosts and their evidence, and from where</span>
      <div className="acts">
        {selected === null || selected.length === 0 ? null : (
          <Button
            disabledReason={
              selected.length > mostIds ? `Select at most ${mostIds} security events.` : undefined
            }
            onClick={onAcknowledge}
          >
            {`Acknowledge ${formatCounted(selected.length, "event")}`}
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

const isOpen = ({ acknowledged }: SecurityEventLine) => acknowledged === null;

export function SecurityPage() {
  const trpc = useTRPC();
  const cache = useQueryClient();
  const [view, change] = useAddressView(parseSecurityView, securityHref);
  const list = useSecurityEvents(view);
  const may = reachOf(useMe().role, "security.acknowledge") !== "none";
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const selected = list.rows.filter((row) => isOpen(row) && chosen.has(row.id)).map(({ id }) => id);
  const [isAsking, setAsking] = useState(false);
  const refresh = () => void cache.invalidateQueries({ queryKey: trpc.security.pathKey() });
  return (
    <>
      <SecurityHead view={view} selected={may ? selected : null} onAcknowledge={() => setAsking(true)} />
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
        <ResourceTable
          name="security-events"
          noun="security event"
          caption="Security events"
          columns={view.open === null ? securityColumns : columnsBesidePanel}
          list={list}
          rowId={({ id }) => id}
          namesOf={({ hostName, hostId, address }) => [hostName, hostId, address]}
          parameters={filterParameters}
          open={view.open}
          onToggle={(id) => change({ open: view.open === id ? null : id })}
          opensOnClick
          rowClassName={({ id }) => (id === view.open ? "at" : undefined)}
          selection={
            may
              ? {
                  ids: new Set(selected),
                  onChange: setChosen,
                  label: ({ title, hostName, address }) => `${title}, ${hostName ?? address}`,
                  isSelectable: isOpen,
                }
              : undefined
          }
          empty={
            <Empty title={view.all ? "No security events" : "No open security events"}>
              Refused boot requests, forged reports and voided erases appear here with their address.
            </Empty>
          }
        />
      </ListWithPanel>
      {isAsking ? (
        <AcknowledgeEvents ids={selected} onClose={() => setAsking(false)} onDone={refresh} />
      ) : null}
    </>
  );
}
