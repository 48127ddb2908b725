"use client";
// The instances as a table; a row expands to the history that its tenant saw.
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useMemo } from "react";
import { routes } from "@/server/domain/console/routes";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { OnlineRepair } from "@/components/repair/online-repair/online-repair";
import { OpenTicket } from "@/components/break-fix/tickets/open-ticket";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Changed } from "@/components/ui/changed";
import { ChangedMark } from "@/components/ui/changed-mark";
import { CopyButton } from "@/components/ui/copy-button";
import { Skeleton } from "@/components/ui/skeleton";
import { ResourceTable, type ResourceTableProps } from "@/components/ui/resource-table/resource-table";
import { columnsOf } from "@/components/ui/table/column";
import type { NarrowPlace } from "@/components/ui/table/columns";
import { ProofTime, proofTimeWidth } from "@/components/ui/time/time";
import type { InstanceRow } from "@/server/surfaces/trpc/types";

interface InstancesTableProps extends Pick<
  ResourceTableProps<InstanceRow>,
  "list" | "selection" | "empty" | "open" | "onToggle"
> {
  /** Provider users also see the tenant and the host. */
  ofProvider: boolean;
  /** The list holds ended instances: when each was released, erased and verified. */
  released: boolean;
  onRelease: ((row: InstanceRow) => void) | undefined;
  onEdit: ((row: InstanceRow) => void) | undefined;
}

const historyMs = 1500;

export function InstancesTable({ ofProvider, released, onRelease, onEdit, ...list }: InstancesTableProps) {
  const columns = useMemo(
    () => [
      nameColumn,
      ...(released ? [machineColumn] : [statusColumn, machineColumn]),
      ...(ofProvider ? providerColumns : []),
      ...(released ? releasedColumns : placeColumns),
      ...(onRelease === undefined ? [] : [releaseColumn(onRelease)]),
    ],
    [ofProvider, released, onRelease],
  );
  return (
    <ResourceTable
      {...list}
      name={released ? "instances-released" : "instances"}
      noun="instance"
      caption="Instances"
      columns={columns}
      rowId={({ id }) => id}
      namesOf={({ id, name, host }) => [id, name, host?.name ?? null]}
      detail={(row) => <InstanceStory row={row} onEdit={onEdit} />}
    />
  );
}

const column = columnsOf<InstanceRow>();

const nameColumn = column.opener("name", "Instance", ({ id, name }) => ({ id, words: name }), { width: 180 });

/** While its host is being prepared, the last message says more: it names what delays the instance. */
const formatMachine = ({ status, message, hostWords, notices }: InstanceRow): string =>
  [
    (status === "Provisioning" ? message : null) ?? hostWords ?? "not proven clean",
    ...notices.map((notice) => notice.message),
  ].join("; ");

/** Links to the record of its reclamation, for users who may see it, both during and after the reclamation. */
function recordHref({ reclamation, host }: InstanceRow): string | null {
  if (reclamation === null) return null;
  if (host !== null) return routes.host(host.name, { reclamation: reclamation.id });
  return reclamation.gone ? routes.gone.one(reclamation.hostId, { reclamation: reclamation.id }) : null;
}

const statusColumn = column.cell(
  "status",
  "Status",
  (row) => <ChangedMark tone={row.tone} live={row.tone === "working"} words={row.status} />,
  { width: 130, narrow: "top-end", sort: ({ status }) => status },
);

const machineColumn = column.cell(
  "machine",
  "Machine",
  (row) => {
    const href = recordHref(row);
    return (
      <span className="words-then-link">
        <Changed of={formatMachine(row)} className="cut">
          {formatMachine(row)}
        </Changed>
        {href === null ? null : (
          <span>
            ,{" "}
            <Link className="link" href={href} prefetch={false}>
              {row.reclamation?.number}
            </Link>
          </span>
        )}
      </span>
    );
  },
  { narrow: "bottom-start", className: "text-soft", sort: formatMachine },
);

/** A time from the machine's reclamation; in a narrow row it is preceded by its label. */
const momentColumn = (
  id: string,
  label: string,
  narrow: NarrowPlace,
  moment: (row: InstanceRow) => Date | null,
) =>
  column.cell(
    id,
    label,
    (row) => {
      const at = moment(row);
      return (
        <>
          <span className="narrow-label">{label} </span>
          {at === null ? "not yet" : <ProofTime at={at} />}
        </>
      );
    },
    {
      width: proofTimeWidth,
      align: "end",
      narrow,
      className: "text-quiet",
      firstOrder: "descending",
      sort: moment,
    },
  );

const releasedColumns = [
  momentColumn("released", "Released", "top-end", (row) => row.releaseRequestedAt ?? row.endedAt),
  momentColumn("erased", "Erased", "bottom-end", (row) => row.erasedAt),
  momentColumn("verified", "Verified", "line", (row) => row.verifiedAt),
];

const providerColumns = [
  column.cell(
    "host",
    "Host",
    ({ host }) => (host === null ? "–" : <Link href={routes.host(host.name)}>{host.name}</Link>),
    { width: 104, sort: ({ host }) => host?.name ?? null },
  ),
  column.text("tenant", "Tenant", ({ tenantName }) => tenantName, {
    width: 110,
    from: "medium",
    className: "text-quiet",
  }),
];

const placeColumns = [
  column.cell(
    "place",
    "Site, SKU",
    ({ site, sku }) => (
      <>
        {site ?? "–"}
        {sku === null ? null : <span className="mono text-small">, {sku}</span>}
      </>
    ),
    {
      width: 190,
      from: "wide",
      className: "text-quiet",
      sort: ({ site, sku }) => [site ?? "–", sku].filter((part) => part !== null).join(", "),
    },
  ),
  column.age("created", "Created", ({ createdAt }) => createdAt, { width: 108 }),
];

const releaseColumn = (onRelease: (row: InstanceRow) => void) =>
  column.acts(
    108,
    (row) =>
      row.endedAt !== null ? null : (
        <Button
          small
          kind="plain"
          onClick={() => onRelease(row)}
          disabledReason={
            row.release.allowed ? undefined : (row.release.reason ?? "It cannot be released now")
          }
          aria-label={`Release… ${row.name}`}
        >
          Release…
        </Button>
      ),
    { narrow: "bottom-end" },
  );

type StoryProps = { row: InstanceRow } & Pick<InstancesTableProps, "onEdit">;

/** The available acts side by side; an online repair in progress is stated first. */
const StoryActs = ({ row, onEdit }: StoryProps) => (
  <div className="story-acts">
    <OnlineRepair row={row} />
    {onEdit === undefined ? null : (
      <Button
        small
        onClick={() => onEdit(row)}
        disabledReason={row.edit.allowed ? undefined : (row.edit.reason ?? "It cannot be changed now")}
        aria-label={`Edit… ${row.name}`}
      >
        Edit…
      </Button>
    )}
    {row.endedAt === null ? <OpenTicket target={{ instanceId: row.id }} name={row.name} held /> : null}
  </div>
);

/** What the tenant saw: each status with its message and time. */
function InstanceStory({ row, onEdit }: StoryProps) {
  const trpc = useTRPC();
  const labels = Object.entries(row.labels);
  const history = useQuery(trpc.instances.history.queryOptions({ id: row.id }));
  useLiveRefresh(() => history.refetch(), { everyMs: historyMs });
  return (
    <div className="story">
      <p>
        <span className="mono">{row.id}</span> <CopyButton text={row.id} what="the instance's id" />
      </p>
      {row.releaseRequestedAt === null && row.endedAt === null ? null : (
        <p>
          <Link className="link" href={routes.receipt(row.id)} prefetch={false}>
            {row.verifiedAt === null ? "Track reclamation" : "Receipt"}
          </Link>
        </p>
      )}
      {row.description === null ? null : <p>{row.description}</p>}
      {row.vpcId === null ? null : (
        <p>
          Network <span className="mono">{row.vpcId}</span>
        </p>
      )}
      {labels.length === 0 ? null : <p className="mono">{labels.map((pair) => pair.join("=")).join(", ")}</p>}
      <StoryActs row={row} onEdit={onEdit} />
      {history.isError ? (
        <ProblemNotice error={history.error} before="Its history could not be read." />
      ) : null}
      {history.isPending ? <Skeleton rows={2} /> : null}
      <ol>
        {history.data?.map((line, index) => (
          <li key={index}>
            <ProofTime at={line.at} /> <b className="text-medium">{line.status}</b> {line.message}
          </li>
        ))}
      </ol>
    </div>
  );
}
