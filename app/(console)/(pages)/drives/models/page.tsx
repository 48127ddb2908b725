// Drive models and how their erases went, searchable by part of model, firmware or technique.
import type { Metadata } from "next";
import { driveModelsQuery } from "@/components/hosts/drives/drives-query";
import { ModelsPage } from "@/components/hosts/drives/models-page";
import { NoPermission } from "@/components/frame/no-permission";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";
import { toSearch, type SearchParams } from "@/app/search";

export const metadata: Metadata = { title: "Drive models" };

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const me = await requireMe();
  if (!me.pages.includes("hosts")) return <NoPermission title="Drive models" me={me} />;
  const q = (toSearch(await searchParams).get("q") ?? "").trim().slice(0, 200);
  await getQueryClient().fetchInfiniteQuery(driveModelsQuery(serverTrpc(), q));
  return (
    <Hydrate>
      <ModelsPage />
    </Hydrate>
  );
}
