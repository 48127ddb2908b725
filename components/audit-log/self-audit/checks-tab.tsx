"use client";
// Self-audit: the faults of the last one, the one in progress, and previous ones.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CheckNow } from "@/components/audit-log/self-audit/check-now";
import { checkColumns } from "@/components/audit-log/self-audit/check-columns";
import { FaultsTable } from "@/components/audit-log/self-audit/faults-table";
import { OverdueNotice } from "@/components/audit-log/self-audit/self-audit-notice";
import { useSelfAudit } from "@/components/audit-log/self-audit/use-self-audit";
import { useMe } from "@/components/frame/me";
import { pagedTable } from "@/components/trpc/paged-table";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { Empty } from "@/components/ui/empty";
import { formatCount, formatCounted } from "@/components/ui/format/numbers";
import { Skeleton } from "@/components/ui/skeleton";
import { DataTable } from "@/components/ui/table/data-table";
import { reachOf } from "@/server/domain/access/access";
import type { SelfAuditFault, SelfAuditLine, SelfAuditStanding } from "@/server/surfaces/trpc/types";

export function ChecksTab() {
  const standing = useSelfAudit();
  const trpc = useTRPC();
  const past = useInfiniteQuery(
    trpc.audit.checks.infiniteQueryOptions(
      {},
      { getNextPageParam: ({ nextCursor }) => nextCursor, initialCursor: null },
    ),
  );
  const reload = () => {
    void standing.refetch();
    void past.refetch();
  };
  return (
    <>
      {standing.error === null ? null : (
        <ProblemNotice
          error={standing.error}
          before="The self-audit could not be read."
          onRetry={() => void standing.refetch()}
        />
      )}
      {standing.data === undefined ? (
        <Skeleton rows={4} />
      ) : (
        <>
          <OverdueNotice standing={standing.data} />
          <CheckNow standing={standing.data} onDone={reload} />
          <Faults standing={standing.data} onDone={reload} />
        </>
      )}
      <div className="sec">
        <h2>Past self-audits</h2>
        <span className="sum cut">one each night, and those that somebody asked for</span>
      </div>
      <DataTable
        caption="Past self-audits"
        columns={checkColumns}
        rows={past.data?.pages.flatMap((page) => page.items) ?? []}
        rowId={({ id }) => id}
        {...pagedTable(past, { before: "The list could not be read.", more: "Show more self-audits" })}
        empty={
          <Empty title="No self-audit has ended yet">
            Each night the server checks its audit log, replays the states of all hosts, and compares the
            history of each reclamation with its digest in the log. Each check is listed here with its result.
          </Empty>
        }
      />
    </>
  );
}

interface FaultsProps {
  readonly standing: SelfAuditStanding;
  readonly onDone: () => void;
}

function Faults({ standing: { last, faults }, onDone }: FaultsProps) {
  const me = useMe();
  /** `all`: including faults that are not listed. */
  const [asked, setAsked] = useState<SelfAuditFault | "all">();
  const [close, whyNot] = [
    () => setAsked(undefined),
    reachOf(me.role, "audit.acknowledge") === "any"
      ? undefined
      : `The role ${me.role} may not acknowledge faults`,
  ];
  if (last === null || last.faults === 0) return null;
  const unnamed = last.faults - faults.length;
  return (
    <>
      <div className="sec">
        <h2>Faults</h2>
        <span className="sum cut">
          {formatCounted(last.faults, "fault")}, {formatCount(last.open)} not acknowledged
          {unnamed > 0 ? `; ${formatCount(unnamed)} not listed` : ""}
        </span>
        {last.open === 0 ? null : (
          <span className="end">
            <Button small disabledReason={whyNot} onClick={() => setAsked("all")}>
              Acknowledge all…
            </Button>
          </span>
        )}
      </div>
      <FaultsTable faults={faults} whyNot={whyNot} onAcknowledge={setAsked} />
      {asked === undefined ? null : (
        <AcknowledgeDialog
          check={last}
          fault={asked === "all" ? undefined : asked}
          onClose={close}
          onDone={onDone}
        />
      )}
    </>
  );
}

interface AcknowledgeDialogProps {
  readonly check: SelfAuditLine;
  /** Undefined: all open faults. */
  readonly fault: SelfAuditFault | undefined;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function AcknowledgeDialog({ check, fault, ...rest }: AcknowledgeDialogProps) {
  const open = formatCounted(check.open, "open fault");
  const what = fault === undefined ? `All ${open} of this self-audit` : "This fault";
  return (
    <ActDialog
      title={fault === undefined ? `Acknowledge ${open}?` : "Acknowledge this fault?"}
      consequence={`${what} will not alert again. Later self-audits still list what they find, and a new fault alerts. Who acknowledged it, and why, is in the audit log.`}
      confirmWords={fault === undefined ? `Acknowledge ${open}` : "Acknowledge fault"}
      reason="What was found out, and what was done about it."
      send={({ reason }, client) =>
        client.audit.acknowledge.mutate({
          check: check.id,
          keys: fault === undefined ? undefined : [fault.key],
          reason,
        })
      }
      said={({ acknowledged }) => `${formatCounted(acknowledged, "fault")} acknowledged`}
      {...rest}
    />
  );
}
