// Every drive, searchable by part of its serial number, model or firmware.
import type { Metadata } from "next";
import { DrivesPage } from "@/components/hosts/drives/drives-page";
import { drivesQuery } from "@/components/hosts/drives/drives-query";
import { NoPermission } from "@/components/frame/no-permission";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";
import { toSearch, type SearchParams } from "@/app/search";

export const metadata: Metadata = { title: "Drives" };

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const me = await requireMe();
  if (!me.pages.includes("hosts")) return <NoPermission title="Drives" me={me} />;
  const q = (toSearch(await searchParams).get("q") ?? "").trim().slice(0, 200);
  await getQueryClient().fetchInfiniteQuery(drivesQuery(serverTrpc(), q));
  return (
    <Hydrate>
      <DrivesPage />
    </Hydrate>
  );
}
