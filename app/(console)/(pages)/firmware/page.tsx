// Which firmware the fleet runs, searchable by part of model, component or version.
import type { Metadata } from "next";
import { firmwareQuery } from "@/components/hosts/inventory/firmware-query";
import { FirmwarePage } from "@/components/hosts/inventory/firmware-page";
import { NoPermission } from "@/components/frame/no-permission";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";
import { toSearch, type SearchParams } from "@/app/search";

export const metadata: Metadata = { title: "Firmware" };

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const me = await requireMe();
  if (!me.pages.includes("hosts")) return <NoPermission title="Firmware" me={me} />;
  const q = (toSearch(await searchParams).get("q") ?? "").trim().slice(0, 200);
  const trpc = serverTrpc();
  await Promise.all([
    getQueryClient().fetchInfiniteQuery(firmwareQuery(trpc, q)),
    getQueryClient().fetchQuery(trpc.rollouts.list.queryOptions()),
  ]);
  return (
    <Hydrate>
      <FirmwarePage />
    </Hydrate>
  );
}
