"use client";
// The lists of the *Repair* page: the queue, the hosts being repaired, and the repeat offenders.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useMe } from "@/components/frame/me";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { repairedText } from "@/components/repair/repair-sections";
import { formatIssue, lineOutcome, noteText } from "@/components/repair/repair-text";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { wholeList, type ResourceList } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import { StateLabel } from "@/components/ui/state-label";
import { columnsOf } from "@/components/ui/table/column";
import { Time } from "@/components/ui/time/time";
import { reachOf } from "@/server/domain/access/access";
import { repeatRule } from "@/server/domain/repair/repairs";
import type { HeldRow, OffenderRow, QueueRow } from "@/server/surfaces/trpc/types";

interface Listed<Row> {
  readonly list: ResourceList<Row>;
  /** The host in the side panel. */
  readonly open: string | null;
  readonly onToggle: (host: string) => void;
}

/** A host is named by its name in all three lists. */
const byHost = {
  fullWidth: false,
  rowId: ({ host }: { readonly host: string }) => host,
  namesOf: ({ host }: { readonly host: string }) => [host],
};

const opensPanel = ({ host }: { readonly host: string }) => ({ id: host, words: host });

const queueColumn = columnsOf<QueueRow>();

/** Whether it can be claimed; during a cleaning, when that should end. The full sentence is in the panel. */
function Refusal({ claim }: Pick<QueueRow, "claim">) {
  return (
    <span className="text-quiet">
      {claim.expectedAt === null ? (
        (claim.short ?? "can be claimed")
      ) : (
        <>
          at about <Time at={claim.expectedAt} />
        </>
      )}
    </span>
  );
}

/** @param isOpen the side panel is open, so only identifying columns have room */
const queueColumns = (isOpen: boolean, onClaim: ((row: QueueRow) => void) | undefined) => [
  queueColumn.opener("host", "Host", opensPanel, { width: 132 }),
  queueColumn.text("issue", "Issue", ({ issue }) => formatIssue(issue), { narrow: "line" }),
  queueColumn.cell("state", "State", ({ state, tone }) => <StateLabel tone={tone} path={state} short />, {
    width: 150,
    narrow: "bottom-start",
    sort: ({ state }) => state,
  }),
  queueColumn.age("waits", "Waits", ({ since }) => since, { width: 96, narrow: "top-end" }),
  queueColumn.cell(
    "repaired",
    "Repaired",
    ({ repaired }) =>
      repaired.offender ? (
        <span className="tone" data-tone="attention">
          {repairedText(repaired)}
        </span>
      ) : (
        repairedText(repaired)
      ),
    {
      width: 96,
      from: isOpen ? "widest" : "medium",
      spaced: true,
      firstOrder: "descending",
      sort: ({ repaired }) => repaired.total,
    },
  ),
  queueColumn.text("rack", "Rack", ({ rack }) => rack, { width: 64, from: isOpen ? "widest" : "wide" }),
  queueColumn.cell(
    "claim",
    "Claim",
    (row) =>
      onClaim !== undefined && row.claim.allowed ? (
        <Button small onClick={() => onClaim(row)} aria-label={`Claim… ${row.host}`}>
          Claim…
        </Button>
      ) : (
        <Refusal claim={row.claim} />
      ),
    {
      width: 150,
      align: "end",
      narrow: "bottom-end",
      title: ({ claim }) => (claim.short === null ? null : claim.reason),
      text: ({ claim }) => claim.short ?? "can be claimed",
    },
  ),
];

interface QueueListProps extends Listed<QueueRow> {
  /** Undefined if this user may not claim hosts. */
  readonly onClaim: ((row: QueueRow) => void) | undefined;
}

export function QueueList({ onClaim, ...listed }: QueueListProps) {
  const isOpen = listed.open !== null;
  const columns = useMemo(() => queueColumns(isOpen, onClaim), [isOpen, onClaim]);
  return (
    <ResourceTable
      {...byHost}
      {...listed}
      name="repair-queue"
      noun="host"
      caption="Queue"
      columns={columns}
      empty={
        <Empty title="No hosts need repair">
          A host appears here when a tenant reports an issue with its release, or when an operator requests a
          repair.
        </Empty>
      }
    />
  );
}

const heldColumn = columnsOf<HeldRow>();

const lastNote = (row: HeldRow) => noteText(row) ?? (row.issue === null ? null : formatIssue(row.issue));

interface HeldActs {
  readonly onOutcome: (row: HeldRow) => void;
  readonly onRelease: (row: HeldRow) => void;
}

const heldColumns = (ofProvider: boolean, mayNote: boolean, { onOutcome, onRelease }: HeldActs) => [
  heldColumn.opener("host", "Host", opensPanel, { width: 132 }),
  heldColumn.cell(
    "note",
    "Last note",
    (row) => noteText(row) ?? <span className="text-quiet">{lastNote(row) ?? "none"}</span>,
    { narrow: "line", title: lastNote, sort: lastNote },
  ),
  heldColumn.cell(
    "outcome",
    "Outcome",
    ({ repairStatus, outcome }) => (
      <span className="tone" data-tone={outcome === "none" ? "attention" : "neutral"}>
        {repairStatus ?? "missing"}
      </span>
    ),
    {
      width: 112,
      narrow: "top-end",
      title: ({ repairStatus }) => repairStatus,
      sort: ({ repairStatus }) => repairStatus,
    },
  ),
  heldColumn.age("held", "Held", ({ claimedAt }) => claimedAt, { width: 96, narrow: "bottom-start" }),
  ...(ofProvider
    ? [
        heldColumn.text("tenant", "Repair tenant", ({ tenant }) => tenant, {
          width: 130,
          spaced: true,
          from: "medium",
        }),
      ]
    : []),
  ...(ofProvider && !mayNote
    ? []
    : [
        heldColumn.acts(
          220,
          (row) => (
            <span className="repair-acts">
              {mayNote ? (
                <Button small onClick={() => onOutcome(row)} aria-label={`Set outcome… ${row.host}`}>
                  Set outcome…
                </Button>
              ) : null}
              {ofProvider ? null : (
                <Button
                  small
                  kind="plain"
                  onClick={() => onRelease(row)}
                  disabledReason={
                    row.release.allowed ? undefined : (row.release.reason ?? "It cannot be released now")
                  }
                  aria-label={`Release… ${row.host}`}
                >
                  Release…
                </Button>
              )}
            </span>
          ),
          { narrow: "bottom-end" },
        ),
      ]),
];

/** Hosts being repaired, with the outcome noted in their labels before the release. */
export function HeldList({ onOutcome, onRelease, ...listed }: Listed<HeldRow> & HeldActs) {
  const me = useMe();
  const ofProvider = me.tenant === null;
  const mayNote = reachOf(me.role, "host.label") !== "none";
  const columns = useMemo(
    () => heldColumns(ofProvider, mayNote, { onOutcome, onRelease }),
    [ofProvider, mayNote, onOutcome, onRelease],
  );
  return (
    <ResourceTable
      {...byHost}
      {...listed}
      name="repair-held"
      noun="host"
      caption={ofProvider ? "Being repaired" : "Held by us"}
      columns={columns}
      empty={
        <Empty title={ofProvider ? "No host is being repaired" : "You hold no hosts for repair"}>
          A host that a repair tenant claims from the queue is listed here until it is released.
        </Empty>
      }
    />
  );
}

const offenderColumn = columnsOf<OffenderRow>();

const offenderColumns = [
  offenderColumn.opener("host", "Host", opensPanel, { width: 132 }),
  offenderColumn.count("repairs", "Repairs", ({ repairs }) => repairs.length, {
    width: 84,
    align: "start",
    narrow: "top-end",
  }),
  offenderColumn.text(
    "issue",
    "Last issue",
    ({ repairs: [last] }) => (last?.issue == null ? "not recorded" : formatIssue(last.issue)),
    { narrow: "line" },
  ),
  offenderColumn.text(
    "outcome",
    "Last outcome",
    ({ repairs: [last] }) => (last === undefined ? null : lineOutcome(last).words),
    { width: 130, narrow: "bottom-end" },
  ),
  offenderColumn.age("ended", "Ended", ({ repairs: [last] }) => last?.releasedAt ?? null, {
    width: 96,
    from: "medium",
  }),
  offenderColumn.cell(
    "state",
    "State now",
    ({ state, tone }) => <StateLabel tone={tone} path={state} short />,
    {
      width: 170,
      spaced: true,
      narrow: "bottom-start",
      sort: ({ state }) => state,
    },
  ),
];

const offendersEveryMs = 10_000;

/** Hosts repaired too often within the rule's period, each with the last of those repairs. */
export function OffendersList(listed: Omit<Listed<OffenderRow>, "list">) {
  const trpc = useTRPC();
  const read = useQuery(trpc.repair.offenders.queryOptions());
  useLiveRefresh(() => read.refetch(), { everyMs: offendersEveryMs });
  return (
    <ResourceTable
      {...byHost}
      {...listed}
      name="repair-offenders"
      noun="host"
      caption="Repeat offenders"
      list={wholeList(read, read.data?.rows)}
      columns={offenderColumns}
      empty={
        <Empty title="No repeat offenders">
          A host that is repaired {repeatRule.repairs} times in {repeatRule.days} days is listed here.
        </Empty>
      }
    />
  );
}
