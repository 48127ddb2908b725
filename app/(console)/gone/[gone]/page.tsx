// The record of one host that has left the fleet, by id, name or serial number.
import type { Metadata } from "next";
import { GoneRecord } from "@/components/hosts/decommission/gone-record";
import { NoPermission } from "@/components/frame/no-permission";
import { getQueryClient, Hydrate, readOr404, requireMe, serverTrpc } from "@/app/server-api";
import { toSearch, type SearchParams } from "@/app/search";

interface Props {
  params: Promise<{ gone: string }>;
  searchParams: SearchParams;
}

export const metadata: Metadata = { title: "Gone host" };

export default async function Page({ params, searchParams }: Props) {
  const me = await requireMe();
  if (!me.pages.includes("hosts")) return <NoPermission title="Gone host" me={me} />;
  const id = decodeURIComponent((await params).gone);
  const reclamationId = toSearch(await searchParams).get("reclamation") ?? undefined;
  const client = getQueryClient();
  const { host, hosts } = serverTrpc();
  const gone = await readOr404(() => client.fetchQuery(hosts.goneOne.queryOptions({ host: id })));
  const shown = reclamationId ?? gone.reclamationId ?? undefined;
  const of = { hostId: gone.hostId, ...(shown === undefined ? {} : { reclamationId: shown }) };
  await readOr404(() =>
    Promise.all([
      client.fetchQuery(host.reclamation.queryOptions(of)),
      client.fetchQuery(host.gates.queryOptions(of)),
      client.fetchQuery(host.history.queryOptions({ hostId: gone.hostId })),
    ]),
  );
  return (
    <Hydrate>
      <GoneRecord id={id} reclamationId={reclamationId} />
    </Hydrate>
  );
}
