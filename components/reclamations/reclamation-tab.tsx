"use client";
// The tab for one reclamation of a host: stages, step runs, timeline, the agent's log, and the gates in short.
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { HostExceptions } from "@/components/assurance/exceptions/host-exceptions";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { GateList } from "@/components/reclamations/gate-list";
import { GatesTable } from "@/components/reclamations/gates-table";
import { gateSum } from "@/components/reclamations/gate-look";
import { LogView } from "@/components/reclamations/step-runs/log-view";
import { RunsTable } from "@/components/reclamations/step-runs/runs-table";
import { Stepper } from "@/components/reclamations/stepper";
import { TimelineSection } from "@/components/reclamations/timeline-section";
import { useTRPC } from "@/components/trpc/trpc";
import { SignedFile } from "@/components/assurance/proof/signed-file";
import { formatCount } from "@/components/ui/format/numbers";
import { Empty } from "@/components/ui/empty";
import { Notice } from "@/components/ui/notice";
import { ProofTime } from "@/components/ui/time/time";
import { usePrinting } from "@/components/ui/media/use-printing";
import type { GateLine, HostDetail, ReclamationDetail } from "@/server/surfaces/trpc/types";
import { CleanupSection } from "@/components/reclamations/cleanup-section";
import { TestsSection } from "@/components/reclamations/tests-section";
import { reclamationQuery } from "@/components/reclamations/reclamation-query";
import { isManual, reclamationKindLabel } from "@/components/reclamations/reclamation-labels";
import { standingText } from "@/server/domain/assurance/standing";
import { routes } from "@/server/domain/console/routes";

const refreshMs = 700;

/** The current or last reclamation, or an earlier one by id. */
export function ReclamationTab({
  host,
  reclamationId,
}: {
  host: HostDetail;
  reclamationId: string | undefined;
}) {
  const trpc = useTRPC();
  const detail = useSuspenseQuery(
    trpc.host.reclamation.queryOptions(reclamationQuery(host.id, reclamationId)),
  );
  const gates = useSuspenseQuery(trpc.host.gates.queryOptions(reclamationQuery(host.id, reclamationId)));
  useLiveRefresh(() => Promise.all([detail.refetch(), gates.refetch()]), {
    hostId: host.id,
    everyMs: refreshMs,
  });
  if (detail.data === null) {
    return (
      <Empty title="No reclamations yet">
        A reclamation begins when a tenant releases the instance on it, or when it is provided from
        Manageable. Its steps, devices and gates are shown here.
      </Empty>
    );
  }
  const past = reclamationId !== undefined && detail.data.reclamation.id !== host.reclamation?.id;
  return (
    <>
      {past ? (
        <PastNotice detail={detail.data} host={host} />
      ) : host.stages.length === 0 ? null : (
        <Stepper stages={host.stages} />
      )}
      {isManual(detail.data.reclamation) ? <ManualNotice detail={detail.data} /> : null}
      <Runs detail={detail.data} />
      {past || host.failure === null ? null : <HostExceptions host={host} quiet />}
      <CleanupSection cleanup={detail.data.cleanup} />
      <TestsSection tests={detail.data.tests} />
      <TimelineSection detail={detail.data} />
      <LogAndGates
        detail={detail.data}
        gates={isManual(detail.data.reclamation) ? [] : gates.data}
        host={host}
      />
    </>
  );
}

function PastNotice({ detail: { reclamation }, host }: { detail: ReclamationDetail; host: HostDetail }) {
  return (
    <div className="after">
      <Notice tone="neutral">
        This is {reclamation.number}, an earlier reclamation: {reclamationKindLabel(reclamation.kind)}, began{" "}
        <ProofTime at={reclamation.startedAt} />
        {reclamation.endedAt === null ? null : (
          <>
            , ended <ProofTime at={reclamation.endedAt} /> with outcome {reclamation.outcome}
            {reclamation.standing == null ? null : `: ${standingText[reclamation.standing].toLowerCase()}`}
          </>
        )}
        .{" "}
        <Link className="link" href={routes.host(host.name)}>
          Show the newest
        </Link>
      </Notice>
    </div>
  );
}

/** A manual cleaning has no stages; it only runs its list. */
function ManualNotice({ detail: { reclamation, requestedByName } }: { detail: ReclamationDetail }) {
  const { number, runbookName, bulkId, startedAt, outcome } = reclamation;
  return (
    <div className="after">
      <Notice tone="neutral">
        Manual cleaning {number}, requested by {requestedByName ?? "a deleted account"} at{" "}
        <ProofTime at={startedAt} />
        {runbookName === null ? "" : `, from the runbook ${runbookName}`}.{" "}
        {outcome === null
          ? "Its steps run in the order given; the host is Manageable afterwards."
          : `It ended with outcome ${outcome}.`}{" "}
        It proves no gate and pays no debt.
        {bulkId === null ? null : (
          <>
            {" "}
            <Link className="link" href={routes.cleaning.run(bulkId)}>
              All hosts of this run
            </Link>
          </>
        )}
      </Notice>
    </div>
  );
}

function Runs({ detail }: { detail: ReclamationDetail }) {
  const voided = detail.voided.map(({ reason, message, at }) => (
    <p key={`${reason} ${at}`} className="text-quiet text-compact after">
      Erases before <ProofTime at={new Date(at)} /> are void and will be repeated: {message}.
    </p>
  ));
  if (detail.stepRuns.length === 0 && voided.length > 0) return <>{voided}</>;
  if (detail.stepRuns.length === 0) {
    return (
      <Empty title="No plan yet">
        The clean steps are planned when the host is admitted to cleaning and its devices are known. They are
        listed here in order.
      </Empty>
    );
  }
  return (
    <>
      <RunsTable runs={detail.stepRuns} disabled={detail.disabled} />
      {voided}
      {detail.managers.length === 0 ? null : (
        <p className="text-quiet text-compact after">
          Planned with hardware managers {detail.managers.join(", ")}.
        </p>
      )}
    </>
  );
}

function LogAndGates({
  detail: { log, reclamation },
  gates,
  host,
}: {
  detail: ReclamationDetail;
  gates: readonly GateLine[];
  host: HostDetail;
}) {
  const printing = usePrinting();
  const shown = log.lines.length;
  return (
    <div className="cols two ruled">
      <section>
        <div className="sec">
          <h2>Agent log</h2>
          <span className="sum cut">{log.bootEpoch === null ? "" : `boot epoch ${log.bootEpoch}`}</span>
          <span className="end text-quiet">
            {log.total === null
              ? `last ${formatCount(shown)} lines`
              : log.total > shown
                ? `last ${formatCount(shown)} of ${formatCount(log.total)} lines`
                : null}
          </span>
        </div>
        {shown === 0 ? (
          <p className="text-quiet">No log from the agent in this reclamation yet.</p>
        ) : (
          <LogView lines={log.lines} label="Agent log" />
        )}
      </section>
      <section>
        <div className="sec">
          <h2>Gates</h2>
          {gates.length === 0 ? null : (
            <>
              <span className="sum cut">
                {reclamation.standing == null ? "" : `${standingText[reclamation.standing]}: `}
                {gateSum(gates)}
              </span>
              <span className="end">
                <SignedFile text={reclamation.number} />{" "}
                <Link href={routes.host(host.name, { tab: "gates" })} scroll={false}>
                  Evidence
                </Link>
              </span>
            </>
          )}
        </div>
        {gates.length === 0 ? (
          <p className="text-quiet">None: a manual cleaning proves nothing.</p>
        ) : printing ? (
          <GatesTable gates={gates} host={host} />
        ) : (
          <GateList gates={gates} />
        )}
      </section>
    </div>
  );
}
