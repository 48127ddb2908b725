"use client";
// A host's page: head, tabs, and the tab named in the URL. Refetches when the host changes.
import { useSuspenseQuery } from "@tanstack/react-query";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { LeavingSection } from "@/components/hosts/decommission/leaving-section";
import { useMe } from "@/components/frame/me";
import { CurrentNotices } from "@/components/break-fix/notices/current-notices";
import { problemOf } from "@/components/trpc/query-client";
import { useTRPC } from "@/components/trpc/trpc";
import { Tabs } from "@/components/ui/tabs";
import { Skeleton } from "@/components/ui/skeleton";
import { useRouter } from "next/navigation";
import { Suspense, useEffect } from "react";
import { GatesTab } from "@/components/reclamations/gates-tab";
import { HistoryTab } from "@/components/reclamations/history-tab";
import { HealthTab } from "@/components/repair/health/health-tab";
import { HostActs } from "@/components/hosts/one/host-acts";
import { hostFacts, hostWhat } from "@/components/hosts/one/facts/host-facts";
import { HostHead } from "@/components/hosts/one/host-head";
import { hostTabsOf, hostTabLabels, type HostTab } from "@/components/hosts/one/host-tabs";
import { AttestationTab } from "@/components/hosts/attestation/attestation-tab";
import { InventoryTab } from "@/components/hosts/inventory/inventory-tab";
import { PartsTab } from "@/components/hosts/parts/parts-tab";
import { PlatformTab } from "@/components/hosts/platform/platform-tab";
import { HostSecurityEvents, HostSecurityNotice } from "@/components/access/security-events/host-security";
import { HostAuditTab } from "@/components/audit-log/host-audit";
import { HostAssuranceTab } from "@/components/assurance/host-assurance";
import { RepairTab } from "@/components/repair/repair-tab";
import { ReclamationTab } from "@/components/reclamations/reclamation-tab";
import { routes } from "@/server/domain/console/routes";

const refreshMs = 700;

interface HostPageProps {
  name: string;
  tab: HostTab;
  /** An earlier reclamation, if the URL names one. */
  reclamationId: string | undefined;
}

/** When the host leaves the fleet while its page is open, redirects to its record. */
function useGone(hostId: string, error: unknown): void {
  const router = useRouter();
  const isGone = error !== null && problemOf(error).status === 404;
  useEffect(() => {
    if (isGone) router.replace(routes.gone.one(hostId));
  }, [isGone, hostId, router]);
}

export function HostPage({ name, tab, reclamationId }: HostPageProps) {
  const trpc = useTRPC();
  const me = useMe();
  const { data: host, refetch, error } = useSuspenseQuery(trpc.host.get.queryOptions({ host: name }));
  useGone(host.id, error);
  useLiveRefresh(refetch, { hostId: host.id, everyMs: refreshMs });
  const counts: Record<HostTab, string | undefined> = {
    reclamation: undefined,
    gates: host.counts.gates === 0 ? undefined : `${host.counts.gatesHold}/${host.counts.gates}`,
    history: host.counts.reclamations === 0 ? undefined : String(host.counts.reclamations),
    inventory: undefined,
    parts: undefined,
    platform: undefined,
    attestation: undefined,
    repair: undefined,
    assurance: undefined,
    audit: undefined,
    health: host.health.alerts === 0 ? undefined : String(host.health.alerts),
  };
  const href = (tab: HostTab) => routes.host(host.name, { tab });
  return (
    <>
      <HostHead
        host={host}
        what={hostWhat(host)}
        facts={hostFacts(host)}
        acts={<HostActs host={host} onDone={() => void refetch()} />}
      />
      <LeavingSection leaving={host.leaving} earlier={host.earlier} />
      <CurrentNotices hostId={host.id} />
      <HostSecurityNotice host={host} />
      <Tabs
        label="Host"
        tabs={hostTabsOf(me.role).map((to) => ({
          href: href(to),
          words: hostTabLabels[to],
          count: counts[to],
          current: to === tab,
        }))}
      />
      <Suspense key={tab} fallback={<Skeleton rows={8} />}>
        {tab === "reclamation" ? <ReclamationTab host={host} reclamationId={reclamationId} /> : null}
        {tab === "gates" ? <GatesTab host={host} /> : null}
        {tab === "health" ? <HealthTab host={host} onDone={() => void refetch()} /> : null}
        {tab === "repair" ? <RepairTab host={host} /> : null}
        {tab === "assurance" ? <HostAssuranceTab host={host} /> : null}
        {tab === "audit" ? <HostAuditTab host={host} /> : null}
        {tab === "history" ? <HistoryTab host={host} /> : null}
        {tab === "history" ? <HostSecurityEvents host={host} /> : null}
        {tab === "inventory" ? <InventoryTab host={host} onDone={() => void refetch()} /> : null}
        {tab === "parts" ? <PartsTab host={host} onDone={() => void refetch()} /> : null}
        {tab === "platform" ? <PlatformTab host={host} /> : null}
        {tab === "attestation" ? <AttestationTab host={host} onDone={() => void refetch()} /> : null}
      </Suspense>
    </>
  );
}
