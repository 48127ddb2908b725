// The policy of a site.
import type { Metadata } from "next";
import { NoPermission } from "@/components/frame/no-permission";
import { PolicyPage } from "@/components/sites/policy-page";
import { Hydrate, requireMe } from "@/app/server-api";
import { readSite } from "@/app/(console)/(pages)/settings/read-site";
import { toSearch, type SearchParams } from "@/app/search";

export const metadata: Metadata = { title: "Policy" };

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const me = await requireMe();
  if (!me.pages.includes("settings")) return <NoPermission title="Policy" me={me} />;
  await readSite(toSearch(await searchParams).get("site"));
  return (
    <Hydrate>
      <PolicyPage />
    </Hydrate>
  );
}
