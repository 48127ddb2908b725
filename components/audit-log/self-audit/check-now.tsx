"use client";
// Requests a self-audit, and shows the progress of a running one.
import { useState } from "react";
import { stageText } from "@/components/audit-log/self-audit/check-text";
import { useMe } from "@/components/frame/me";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPCClient } from "@/components/trpc/trpc";
import { Progress } from "@/components/ui/bars/progress";
import { Button } from "@/components/ui/button";
import { formatCount } from "@/components/ui/format/numbers";
import { Since } from "@/components/ui/time/time";
import { useSay } from "@/components/ui/toast";
import { reachOf } from "@/server/domain/access/access";
import type { SelfAuditNow, SelfAuditStanding } from "@/server/surfaces/trpc/types";

interface CheckNowProps {
  readonly standing: SelfAuditStanding;
  readonly onDone: () => void;
}

export function CheckNow({ standing: { now }, onDone }: CheckNowProps) {
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
