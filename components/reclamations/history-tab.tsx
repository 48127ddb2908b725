"use client";
// The tab with every reclamation of the host and every state it was in.
import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { formatCounted } from "@/server/domain/numbers";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { ReclamationsTable, StatesTable } from "@/components/reclamations/history-tables";
import { routes } from "@/server/domain/console/routes";
import type { HistoryLine, HostDetail, HostHistory } from "@/server/surfaces/trpc/types";

const refreshMs = 1500;

export function HistoryTab({ host }: { host: HostDetail }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const history = useSuspenseQuery(trpc.host.history.queryOptions({ hostId: host.id }));
  const [older, setOlder] = useState<readonly HostHistory[]>([]);
  useLiveRefresh(history.refetch, { hostId: host.id, everyMs: refreshMs });
  const { reclamations } = history.data;
  const states = joinStates([history.data, ...older]);
  const before = (older.at(-1) ?? history.data).nextBefore;
  const more = useMutation({
    mutationFn: (from: string) => client.host.history.query({ hostId: host.id, before: from }),
    onSuccess: (page) => setOlder((pages) => [...pages, page]),
  });
  return (
    <>
      <div className="sec">
        <h2>Reclamations</h2>
        <span className="sum cut">{formatCounted(reclamations.length, "reclamation")}, newest first</span>
      </div>
      <ReclamationsTable
        href={(reclamation) => routes.host(host.name, { reclamation })}
        reclamations={reclamations}
        empty={
          <Empty title="No reclamations yet">
            Each release, onboarding and recheck of this host is listed here with its outcome.
          </Empty>
        }
      />
      <div className="sec">
        <h2>States</h2>
        <span className="sum cut">every state in order, newest first; versions have no gap</span>
      </div>
      <StatesTable states={states} />
      {more.isError ? <ProblemNotice error={more.error} before="Older states could not be read." /> : null}
      {before === null ? null : (
        <p className="after">
          <Button onClick={() => more.mutate(before)} busy={more.isPending}>
            Show older states
          </Button>
        </p>
      )}
    </>
  );
}

/** Deduplicated by version: pages overlap if states were added after the first was read. */
function joinStates(pages: readonly HostHistory[]): readonly HistoryLine[] {
  const byVersion = new Map(pages.flatMap((page) => page.states).map((line) => [line.version, line]));
  return [...byVersion.values()].sort((a, b) => Number(BigInt(b.version) - BigInt(a.version)));
}
