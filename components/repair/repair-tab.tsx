"use client";
// The *Repair* tab of a host: the issue as reported, the alerts that request a repair, who may claim it, and earlier repairs.
import { OwnerSection } from "@/components/repair/leases/owner-section";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import {
  ClaimSection,
  EarlierRepairs,
  IssueSection,
  RepairAlerts,
  repairedText,
} from "@/components/repair/repair-sections";
import { HostOnlineRepair } from "@/components/repair/online-repair/online-repair";
import { HostTickets } from "@/components/break-fix/tickets/host-tickets";
import { useTRPC } from "@/components/trpc/trpc";
import { formatCounted } from "@/server/domain/numbers";
import type { HostDetail } from "@/server/surfaces/trpc/types";

const refreshMs = 2_000;

export function RepairTab({ host }: { host: HostDetail }) {
  const trpc = useTRPC();
  const { data: repair, refetch } = useSuspenseQuery(trpc.repair.host.queryOptions({ host: host.id }));
  useLiveRefresh(refetch, { hostId: host.id, everyMs: refreshMs });
  return (
    <>
      <div className="sec">
        <h2>Issue</h2>
        <span className="sum cut">{repair.asks === null ? "" : "as it was reported"}</span>
      </div>
      <IssueSection host={repair} />
      {host.instance === null ? null : (
        <>
          <div className="sec">
            <h2>Online repair</h2>
            <span className="sum cut">of the instance that is on the host</span>
          </div>
          <HostOnlineRepair hostId={host.id} instanceId={host.instance.id} />
        </>
      )}
      <div className="sec">
        <h2>Who may claim it</h2>
      </div>
      <ClaimSection host={repair} />
      <OwnerSection host={host} />
      <div className="sec">
        <h2>Alerts that request repair</h2>
        <span className="sum cut">
          {repair.repairAlerts.length === 0 ? "none" : formatCounted(repair.repairAlerts.length, "alert")}
        </span>
      </div>
      <RepairAlerts caption="Alerts that request repair" alerts={repair.repairAlerts} />
      <div className="sec">
        <h2>Earlier repairs</h2>
        <span className="sum cut">repaired {repairedText(repair.repaired)}</span>
      </div>
      <EarlierRepairs host={repair} />
      <HostTickets hostId={host.id} name={host.name} held={host.instance !== null} />
    </>
  );
}
