"use client";
// The hosts of a bulk act, each with its status; only visible rows are rendered.
import Link from "next/link";
import { routes } from "@/server/domain/console/routes";
import { formatPercent } from "@/components/ui/format/numbers";
import { Breakable } from "@/components/ui/breakable";
import { ChangedMark } from "@/components/ui/changed-mark";
import { Progress } from "@/components/ui/bars/progress";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable, type DataTableProps } from "@/components/ui/table/data-table";
import type { BulkHost } from "@/server/surfaces/trpc/types";
import { statusText } from "@/components/hosts/bulk/run-text";

interface RunHostsTableProps extends Pick<DataTableProps<BulkHost>, "loading" | "empty" | "problem"> {
  hosts: readonly BulkHost[];
  /** Hosts with this status, loaded or not. */
  total: number;
  onEnd: () => void;
}

const narrowRowPx = 57;

export function RunHostsTable({ hosts, total, onEnd, ...table }: RunHostsTableProps) {
  return (
    <DataTable
      {...table}
      caption="Hosts of the run"
      fullWidth
      columns={columns}
      rows={hosts}
      rowId={(host) => host.hostId}
      total={total}
      virtual={{ narrowRowPx, onEnd }}
    />
  );
}

const statePath = (host: BulkHost) => host.state?.replaceAll("/", " / ");

const column = columnsOf<BulkHost>();

const columns = [
  column.cell(
    "host",
    "Host",
    (host) =>
      host.state === null ? (
        <span className="text-quiet">{host.name}, gone</span>
      ) : (
        <Link className="text-medium" href={routes.host(host.name)} prefetch={false}>
          {host.name}
        </Link>
      ),
    { width: 168, narrow: "top-start", rowHeader: true },
  ),
  column.cell(
    "status",
    "Result",
    (host) => (
      <ChangedMark tone={host.tone} live={host.status === "running"} words={statusText[host.status]} />
    ),
    { width: 180, narrow: "top-end" },
  ),
  column.cell(
    "step",
    "Step",
    (host) =>
      host.percent === null ? (
        <span className="mono text-small">
          <Breakable text={host.step ?? ""} />
        </span>
      ) : (
        <>
          <Progress percent={host.percent} />
          {formatPercent(host.percent)}
        </>
      ),
    { width: 144, className: "text-quiet wrapping", title: (host) => host.step },
  ),
  column.text(
    "message",
    "Details",
    (host) =>
      host.message ?? (host.outcome === null ? statePath(host) : `${host.outcome}; ${statePath(host) ?? ""}`),
    { narrow: "line", className: "text-soft" },
  ),
  column.cell(
    "reclamation",
    "Run",
    (host) =>
      host.reclamationNumber === null || host.reclamationId === null || host.state === null ? null : (
        <Link href={routes.host(host.name, { reclamation: host.reclamationId })} prefetch={false}>
          {host.reclamationNumber}
        </Link>
      ),
    { width: 96, from: "medium", className: "mono text-small" },
  ),
];
