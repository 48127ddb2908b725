// The catalogue of clean steps, for the site, SKU, host or hardware type in the URL.
import type { Metadata } from "next";
import { StepsPage } from "@/components/cleaning/steps/steps-page";
import { parseStepsView } from "@/components/cleaning/steps/steps-view";
import { NoPermission } from "@/components/frame/no-permission";
import { Empty } from "@/components/ui/empty";
import { getQueryClient, Hydrate, readOr404, requireMe, serverTrpc } from "@/app/server-api";
import { toSearch, type SearchParams } from "@/app/search";

export const metadata: Metadata = { title: "Cleaning" };

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const me = await requireMe();
  if (!me.pages.includes("cleaning")) return <NoPermission title="Cleaning" me={me} />;
  const client = getQueryClient();
  const { cleaning } = serverTrpc();
  const scopes = await client.fetchQuery(cleaning.scopes.queryOptions());
  const view = parseStepsView(toSearch(await searchParams), scopes);
  if (view === null)
    return <Empty title="No site yet">Create a site under Settings. Its clean steps then appear here.</Empty>;
  await Promise.all([
    readOr404(() => client.fetchQuery(cleaning.catalogue.queryOptions(view))),
    client.fetchQuery(cleaning.overrides.queryOptions({})),
  ]);
  return (
    <Hydrate>
      <StepsPage view={view} />
    </Hydrate>
  );
}
