"use client";
// Self-audit: the faults of the last one, the one in progress, and previous ones.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FaultsTable } from "@/components/audit-log/self-audit/faults-table";
import { OverdueNotice } from "@/components/audit-log/self-audit/self-audit-notice";
import { useSelfAudit } from "@/components/audit-log/self-audit/use-self-audit";
import { useMe } from "@/components/frame/me";
import { pagedTable } from "@/components/trpc/paged-table";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { Empty } from "@/components/ui/empty";
import { formatCount, formatCounted } from "@/server/domain/numbers";
import { Skeleton } from "@/components/ui/skeleton";
import { DataTable } from "@/components/ui/table/data-table";
import { reachOf } from "@/server/domain/access/access";
import type {
  SelfAuditFault,
  SelfAuditLine,
  SelfAuditNow,
  SelfAuditStanding,
} from "@/server/surfaces/trpc/types";
import Link from "next/link";
import { formatDuration } from "@/components/ui/format/duration";
import { Mark } from "@/components/ui/mark";
import { ProofTime, proofTimeWidth, Since } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";
import { columnsOf } from "@/components/ui/table/column";
import { Progress } from "@/components/ui/bars/progress";
import { useSay } from "@/components/ui/toast";
import { type CheckStage, checkStages } from "@/server/domain/audit-log/self-audit/self-audit";

// Labels for self-audits: their stages, and what they covered.
const stages = {
  log: "audit log",
  transitions: "state transitions",
  tenancies: "hosts and instances",
  reclamations: "histories of reclamations",
} satisfies Record<CheckStage, string>;

/** A stage that this release does not know is shown by its name. */
function stageText(stage: string): string {
  const known = checkStages.find((each) => each === stage);
  return known === undefined ? stage : stages[known];
}

function coveredText({ events, covered }: SelfAuditLine): string {
  if (covered === null) return `${formatCounted(events, "event")} of the audit log alone`;
  const { hosts, transitions, reclamations, digests, undigested } = covered;
  return [
    formatCounted(events, "event"),
    formatCounted(hosts, "host"),
    formatCounted(transitions, "transition"),
    `${formatCounted(reclamations, "reclamation")}, ${digests} compared with digests`,
    ...(undigested === 0 ? [] : [`${undigested} ended before digests were logged and cannot be compared`]),
  ].join("; ");
}

const resultText = ({ faults, open }: SelfAuditLine): string => {
  if (faults === 0) return "nothing wrong";
  const found = formatCounted(faults, "fault");
  return open === 0 ? `${found}, acknowledged` : open === faults ? found : `${found}, ${open} open`;
};

interface CheckNowProps {
  readonly standing: SelfAuditStanding;
  readonly onDone: () => void;
}

/** Requests a self-audit, and shows the progress of a running one. */
function CheckNow({ standing: { now }, onDone }: CheckNowProps) {
  const me = useMe();
  const client = useTRPCClient();
  const say = useSay();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const mayAsk = reachOf(me.role, "audit.selfCheck") === "any";
  const whyNot = mayAsk
    ? now === null
      ? undefined
      : "A self-audit is asked for or in progress"
    : `The role ${me.role} may not ask for a self-audit`;
  const ask = async () => {
    setBusy(true);
    setError(null);
    try {
      const { already } = await client.audit.selfCheck.mutate({});
      say(already ? "A self-audit is in progress already" : "A self-audit was asked for");
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
      onDone();
    }
  };
  return (
    <>
      {error === null ? null : <ProblemNotice error={error} before="No self-audit was asked for." />}
      <p className="audit-acts">
        <Button small disabledReason={whyNot} busy={busy} onClick={() => void ask()}>
          Run self-audit
        </Button>
        <span className="text-quiet" role="status">
          {now === null ? "" : <InProgress now={now} />}
        </span>
      </p>
    </>
  );
}

function InProgress({
  now: { standing, askedBy, startedAt, stage, done, total },
}: {
  readonly now: SelfAuditNow;
}) {
  const whose = askedBy === null ? "The nightly self-audit" : `The self-audit that ${askedBy} asked for`;
  if (standing === "asked") return <>{whose} begins when a controller takes it, within seconds.</>;
  if (standing === "brokenOff")
    return <>{whose} was broken off with its process. A controller begins it again within a minute.</>;
  return (
    <>
      {whose} is in progress
      {startedAt === null ? null : (
        <>
          {" "}
          (started <Since at={startedAt} />)
        </>
      )}
      {stage === null ? "" : `: ${stageText(stage)}, ${formatCount(done)} of ${formatCount(total)}`}{" "}
      {stage === null || total === 0 ? null : <Progress percent={(100 * done) / total} />}
    </>
  );
}

const toneOf = ({ faults, open }: SelfAuditLine) =>
  faults === 0 ? "good" : open === 0 ? "attention" : "failed";

const column = columnsOf<SelfAuditLine>();

/** Columns of past self-audits. */
const checkColumns = [
  column.cell(
    "at",
    "Ended",
    ({ id, at }) => (
      <Link className="link" href={routes.audit({ open: id })} prefetch={false}>
        <ProofTime at={at} />
      </Link>
    ),
    { width: proofTimeWidth, rowHeader: true, narrow: "top-start" },
  ),
  column.cell(
    "result",
    "Result",
    (check) => (
      <span className="marked-text">
        <Mark tone={toneOf(check)} label="" />
        <span className="cut">{resultText(check)}</span>
      </span>
    ),
    {
      width: 200,
      narrow: "bottom-start",
      title: ({ kinds }) => kinds.map(({ label, count }) => `${label}: ${count}`).join(", "),
    },
  ),
  column.cell("seconds", "Duration", ({ seconds }) => formatDuration(seconds * 1_000), {
    width: 88,
    align: "end",
    narrow: "top-end",
  }),
  column.text("covered", "Covered", coveredText, { spaced: true, narrow: "line" }),
  column.text("by", "Asked by", ({ askedBy }) => askedBy, { width: 140, from: "medium", none: "nightly" }),
];

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
