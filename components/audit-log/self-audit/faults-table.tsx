"use client";
// The faults of the last self-audit: what is wrong with which host, what to do, and who acknowledged it.
import Link from "next/link";
import { useMemo } from "react";
import { Button } from "@/components/ui/button";
import { Mark } from "@/components/ui/mark";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { ProofTime } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";
import type { SelfAuditFault } from "@/server/surfaces/trpc/types";

function Subject({ hostName, hostId, reclamationId }: SelfAuditFault) {
  if (hostName !== null)
    return (
      <Link
        className="text-medium"
        href={routes.host(hostName, reclamationId === null ? {} : { reclamation: reclamationId })}
        prefetch={false}
      >
        {hostName}
      </Link>
    );
  if (hostId !== null) return <span className="mono">{hostId}</span>;
  return reclamationId === null ? null : <span className="mono">reclamation {reclamationId}</span>;
}

const column = columnsOf<SelfAuditFault>();

const columns = [
  column.cell(
    "kind",
    "Kind",
    ({ label, acknowledged }) => (
      <span className="marked-text">
        <Mark
          tone={acknowledged === null ? "failed" : "neutral"}
          label={acknowledged === null ? "open" : ""}
        />
        <span className="cut">{label}</span>
      </span>
    ),
    { width: 180, rowHeader: true, narrow: "top-start" },
  ),
  column.cell(
    "says",
    "What is wrong, and what to do",
    (fault) => (
      <>
        <Subject {...fault} /> {fault.says}. <span className="text-quiet">{fault.next}</span>
      </>
    ),
    { narrow: "line", className: "wrapping" },
  ),
  column.cell(
    "acknowledged",
    "Acknowledged",
    ({ acknowledged }) =>
      acknowledged === null ? (
        ""
      ) : (
        <>
          {acknowledged.by ?? "unknown"}, <ProofTime at={acknowledged.at} />: {acknowledged.reason}
        </>
      ),
    { width: 240, narrow: "line", className: "wrapping" },
  ),
];

interface FaultsTableProps {
  readonly faults: readonly SelfAuditFault[];
  /** Why this user may not acknowledge faults. */
  readonly whyNot: string | undefined;
  readonly onAcknowledge: (fault: SelfAuditFault) => void;
}

export function FaultsTable({ faults, whyNot, onAcknowledge }: FaultsTableProps) {
  const all = useMemo(
    () => [
      ...columns,
      column.acts(128, (fault) =>
        fault.acknowledged === null ? (
          <Button small disabledReason={whyNot} onClick={() => onAcknowledge(fault)}>
            Acknowledge…
          </Button>
        ) : null,
      ),
    ],
    [whyNot, onAcknowledge],
  );
  return <DataTable caption="Faults" columns={all} rows={faults} rowId={({ key }) => key} />;
}
