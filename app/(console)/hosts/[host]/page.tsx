// One host, by name; the tab in the URL is prefetched.
import type { Metadata } from "next";
import { emptySearch, listInput } from "@/components/audit-log/audit-view";
import { NoPermission } from "@/components/frame/no-permission";
import { HostPage } from "@/components/hosts/one/host-page";
import { platformInput } from "@/components/hosts/platform/platform-input";
import { reclamationQuery } from "@/components/reclamations/reclamation-query";
import { parseHostTab, type HostTab } from "@/components/hosts/one/host-tabs";
import { getQueryClient, Hydrate, readOr404, requireMe, serverTrpc } from "@/app/server-api";
import { toSearch, type SearchParams } from "@/app/search";
import { readHost } from "@/app/(console)/hosts/[host]/read-host";

interface Props {
  params: Promise<{ host: string }>;
  searchParams: SearchParams;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: decodeURIComponent((await params).host) };
}

/** Prefetches the tab's data. */
async function readTab(tab: HostTab, hostId: string, reclamationId: string | undefined): Promise<void> {
  const client = getQueryClient();
  const { attestation, audit, bmc, host, hosts, health, leases, names, parts, procedures, repair } =
    serverTrpc();
  const reclamation = reclamationQuery(hostId, reclamationId);
  switch (tab) {
    case "reclamation":
      await Promise.all([
        client.fetchQuery(host.reclamation.queryOptions(reclamation)),
        client.fetchQuery(host.gates.queryOptions(reclamation)),
      ]);
      return;
    case "gates":
      await client.fetchQuery(host.gates.queryOptions({ hostId }));
      return;
    case "health":
      await Promise.all([
        client.fetchQuery(health.get.queryOptions({ hostId })),
        client.fetchQuery(health.templates.queryOptions()),
      ]);
      return;
    case "repair":
      await Promise.all([
        client.fetchQuery(repair.host.queryOptions({ host: hostId })),
        client.fetchQuery(leases.get.queryOptions({ hostId })),
      ]);
      return;
    case "assurance":
      await client.fetchQuery(procedures.ofHost.queryOptions({ hostId }));
      return;
    case "audit":
      await client.fetchInfiniteQuery(
        audit.list.infiniteQueryOptions(listInput(emptySearch, hostId), {
          getNextPageParam: ({ nextCursor }) => nextCursor,
          initialCursor: null,
        }),
      );
      return;
    case "history":
      await client.fetchQuery(host.history.queryOptions({ hostId }));
      return;
    case "inventory":
      await Promise.all([
        client.fetchQuery(host.inventory.queryOptions({ hostId })),
        client.fetchQuery(names.ofHost.queryOptions({ hostId })),
        client.fetchQuery(bmc.get.queryOptions({ hostId })),
      ]);
      return;
    case "parts":
      await Promise.all([
        client.fetchQuery(host.inventory.queryOptions({ hostId })),
        client.fetchQuery(parts.ofHost.queryOptions({ hostId })),
      ]);
      return;
    case "platform":
      await Promise.all([
        client.fetchQuery(host.inventory.queryOptions({ hostId })),
        client.fetchQuery(hosts.platform.queryOptions(platformInput(hostId))),
      ]);
      return;
    case "attestation":
      await client.fetchQuery(attestation.ofHost.queryOptions({ hostId }));
  }
}

export default async function Page({ params, searchParams }: Props) {
  const me = await requireMe();
  if (!me.pages.includes("hosts")) return <NoPermission title="Hosts" me={me} />;
  const name = decodeURIComponent((await params).host);
  const search = toSearch(await searchParams);
  const tab = parseHostTab(search.get("tab") ?? undefined, me.role);
  const { id: hostId } = await readHost(name);
  const notices = serverTrpc().notices.list.queryOptions({ status: "open", hostId });
  await Promise.all([
    readOr404(() => readTab(tab, hostId, search.get("reclamation") ?? undefined)),
    getQueryClient().prefetchQuery(notices),
  ]);
  return (
    <Hydrate>
      <HostPage name={name} tab={tab} reclamationId={search.get("reclamation") ?? undefined} />
    </Hydrate>
  );
}
