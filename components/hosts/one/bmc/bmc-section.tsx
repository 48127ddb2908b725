"use client";
// On a host's Inventory tab: the last test of its BMC, and the ways to test it and to restart it.
import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { problemOf } from "@/components/trpc/query-client";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { ResetBmcDialog, ResetProgress } from "@/components/hosts/one/bmc/reset-bmc";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Empty } from "@/components/ui/empty";
import { Mark } from "@/components/ui/mark";
import { useSay } from "@/components/ui/toast";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { Age } from "@/components/ui/time/time";
import {
  bmcChecks,
  reportText,
  statusTones,
  statusWords,
  verdictWords,
  type BmcCheck,
} from "@/server/domain/hardware/bmc-report";
import type { BmcTest, HostDetail } from "@/server/surfaces/trpc/types";

const refreshMs = 2_000;

export function BmcSection({ host }: { readonly host: HostDetail }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const say = useSay();
  const { data, refetch } = useSuspenseQuery(trpc.bmc.get.queryOptions({ hostId: host.id }));
  useLiveRefresh(refetch, { hostId: host.id, everyMs: refreshMs });
  const test = useMutation({
    mutationFn: () => client.bmc.test.mutate({ hostId: host.id }),
    onSuccess: ({ waits }) =>
      say(waits ? "The BMC is tested once nothing else may be disturbed" : "The BMC is being tested"),
    onError: (error) => say(problemOf(error).words),
    onSettled: () => refetch(),
  });
  const [isResetting, setResetting] = useState(false);
  return (
    <>
      <BmcReport
        host={host}
        test={data}
        busy={test.isPending}
        onTest={() => test.mutate()}
        onReset={() => setResetting(true)}
      />
      {isResetting ? (
        <ResetBmcDialog host={host} onClose={() => setResetting(false)} onDone={() => refetch()} />
      ) : null}
    </>
  );
}

interface BmcReportProps {
  readonly host: Pick<HostDetail, "actions" | "name">;
  readonly test: BmcTest;
  readonly busy: boolean;
  readonly onTest: () => void;
  readonly onReset: () => void;
}

export function BmcReport({
  host,
  test: { wantedAt, report, unreadableAt, reset },
  busy,
  onTest,
  onReset,
}: BmcReportProps) {
  // Who may change how the BMC is reached may have it tested.
  const mayTest = host.actions.some(({ intent }) => intent === "setBmc");
  const mayReset = host.actions.some(({ intent }) => intent === "reboot");
  return (
    <>
      <div className="sec">
        <h2>BMC</h2>
        <span className="sum cut">
          {wantedAt === null ? null : (
            <>
              test requested <Age at={wantedAt} /> ago{report === null ? "" : "; "}
            </>
          )}
          {report === null ? null : (
            <>
              last tested <Age at={report.at} /> ago at {report.address}. {verdictWords[report.verdict]}
            </>
          )}
        </span>
        {report === null ? null : (
          <CopyButton
            text={reportText(
              `BMC of ${host.name} at ${report.address ?? "(no address)"}, ${report.at.toISOString()}: ${verdictWords[report.verdict]}`,
              report.checks,
            )}
            what="the report"
          />
        )}
        {mayTest ? (
          <Button small busy={busy || wantedAt !== null} onClick={onTest}>
            Test BMC
          </Button>
        ) : null}
        {mayReset ? (
          <Button small busy={reset !== null && reset.endedAt === null} onClick={onReset}>
            Reset BMC
          </Button>
        ) : null}
      </div>
      {reset === null ? null : <ResetProgress reset={reset} />}
      {report === null ? (
        <NoReport unreadableAt={unreadableAt} />
      ) : (
        <DataTable
          caption="Checks of the BMC"
          columns={columns}
          rows={report.checks}
          rowId={({ check }) => check}
        />
      )}
    </>
  );
}

function NoReport({ unreadableAt }: Pick<BmcTest, "unreadableAt">) {
  if (unreadableAt === null)
    return <Empty title="Not tested">What the BMC offers appears here once somebody tests it.</Empty>;
  return (
    <Empty title="The report cannot be read">
      The BMC was tested <Age at={unreadableAt} /> ago. The report was stored in a form that this release of
      Reclaim does not know. Test it again.
    </Empty>
  );
}

const column = columnsOf<BmcCheck>();

const columns = [
  column.cell("check", "Check", ({ check }) => bmcChecks[check].label, {
    width: 180,
    narrow: "top-start",
    rowHeader: true,
  }),
  column.cell(
    "status",
    "Result",
    ({ status }) => (
      <>
        <Mark tone={statusTones[status]} label="" /> {statusWords[status]}
      </>
    ),
    { width: 120 },
  ),
  column.cell(
    "says",
    "Answer",
    ({ says, todo }) => (
      <>
        {says}
        {todo === null ? null : <span className="text-quiet"> {todo}</span>}
      </>
    ),
    { narrow: "line", className: "wrapping" },
  ),
];
