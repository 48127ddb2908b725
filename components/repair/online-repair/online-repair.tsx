"use client";
// An instance's online repair in progress, and what this user can do about it.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { Time } from "@/components/ui/time/time";
import type { InstanceRow } from "@/server/surfaces/trpc/types";
import {
  BeginRepairDialog,
  EndRepairDialog,
  EscalateDialog,
} from "@/components/repair/online-repair/online-repair-dialogs";

const dialogs = { begin: BeginRepairDialog, end: EndRepairDialog, escalate: EscalateDialog } as const;

const choiceText = (allowed: boolean | null): string =>
  allowed === null
    ? "Whether the instance may be deleted if the repair fails was not specified."
    : `If the repair fails, the instance ${allowed ? "may" : "must not"} be deleted.`;

function Standing({ active }: { active: NonNullable<InstanceRow["onlineRepair"]["active"]> }) {
  const { since, issue, allowDeletion } = active;
  return (
    <>
      <p>
        <b className="text-medium">Online repair</b> since <Time at={since} />
        {issue === null ? "; started by the provider." : `: ${issue.category}, ${issue.summary}`}
      </p>
      {issue === null || issue.details === "" ? null : <p>{issue.details}</p>}
      <p className="text-quiet">{choiceText(allowDeletion)}</p>
    </>
  );
}

/** Empty for a released instance. */
export function OnlineRepair({ row }: { row: InstanceRow }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<keyof typeof dialogs | null>(null);
  const { active, allowed, reason } = row.onlineRepair;
  if (row.endedAt !== null || row.releaseRequestedAt !== null) return null;
  const button = (name: keyof typeof dialogs, words: string) => (
    <Button
      small
      onClick={() => setOpen(name)}
      disabledReason={allowed ? undefined : (reason ?? "It is not possible now")}
      aria-label={`${words} ${row.name}`}
    >
      {words}
    </Button>
  );
  const Asking = open === null ? null : dialogs[open];
  return (
    <>
      {active === null ? null : <Standing active={active} />}
      <p>
        {active === null ? button("begin", "Begin online repair…") : button("end", "End online repair…")}{" "}
        {active === null ? null : button("escalate", "Escalate…")}
      </p>
      {Asking === null ? null : (
        <Asking
          row={row}
          onClose={() => setOpen(null)}
          onDone={() => void queryClient.invalidateQueries({ queryKey: trpc.instances.pathKey() })}
        />
      )}
    </>
  );
}

const refreshMs = 2_000;

/** The same for the instance on a host, shown to provider users. */
export function HostOnlineRepair({ hostId, instanceId }: { hostId: string; instanceId: string }) {
  const instance = useQuery(useTRPC().instances.get.queryOptions({ id: instanceId }));
  useLiveRefresh(() => instance.refetch(), { hostId, everyMs: refreshMs });
  if (instance.isError)
    return <ProblemNotice error={instance.error} before="The instance could not be read." />;
  return instance.data === undefined ? <Skeleton rows={2} /> : <OnlineRepair row={instance.data} />;
}
