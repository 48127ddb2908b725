// The version history of a site's settings.
import type { Metadata } from "next";
import { NoPermission } from "@/components/frame/no-permission";
import { HistoryPage } from "@/components/sites/history/history-page";
import { Hydrate, requireMe } from "@/app/server-api";
import { readSite } from "@/app/(console)/(pages)/settings/read-site";
import { toSearch, type SearchParams } from "@/app/search";

export const metadata: Metadata = { title: "History of settings" };

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const me = await requireMe();
  if (!me.pages.includes("settings")) return <NoPermission title="History of settings" me={me} />;
  await readSite(toSearch(await searchParams).get("site"));
  return (
    <Hydrate>
      <HistoryPage />
    </Hydrate>
  );
}
