"use client";
// The tab with all gates of the current or last reclamation, each with its evidence.
import { useSuspenseQuery } from "@tanstack/react-query";
import { HostExceptions } from "@/components/assurance/exceptions/host-exceptions";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { GatesTable } from "@/components/reclamations/gates-table";
import { gateSum } from "@/components/reclamations/gate-look";
import { isManual } from "@/components/reclamations/reclamation-labels";
import { useTRPC } from "@/components/trpc/trpc";
import { Empty } from "@/components/ui/empty";
import { standingText } from "@/server/domain/assurance/standing";
import type { HostDetail } from "@/server/surfaces/trpc/types";

const refreshMs = 1500;

export function GatesTab({ host }: { host: HostDetail }) {
  const trpc = useTRPC();
  const { data: gates, refetch } = useSuspenseQuery(trpc.host.gates.queryOptions({ hostId: host.id }));
  useLiveRefresh(refetch, { hostId: host.id, everyMs: refreshMs });
  if (gates.length === 0)
    return (
      <Empty title="No gates">
        {host.reclamation !== null && isManual(host.reclamation)
          ? `${host.reclamation.number} is a manual cleaning, which proves nothing. Provide the host to have it cleaned and checked.`
          : "Gates belong to a reclamation. This host has made none yet."}
      </Empty>
    );
  return (
    <>
      <div className="sec">
        <h2>Gates</h2>
        <span className="sum cut">
          {standingText[host.standing]}: {gateSum(gates)}
          {host.reclamation === null ? "" : `, in ${host.reclamation.number}`}
        </span>
      </div>
      <GatesTable gates={gates} host={host} />
      <HostExceptions host={host} quiet />
    </>
  );
}
