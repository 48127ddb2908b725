// Security events: what outsiders and machines tried.
import type { Metadata } from "next";
import { NoPermission } from "@/components/frame/no-permission";
import { SecurityPage } from "@/components/access/security-events/security-page";
import { listInput, parseSecurityView } from "@/components/access/security-events/security-view";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";
import { toSearch, type SearchParams } from "@/app/search";

export const metadata: Metadata = { title: "Security events" };

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const me = await requireMe();
  if (!me.pages.includes("security")) return <NoPermission title="Security events" me={me} />;
  await getQueryClient().fetchInfiniteQuery(
    serverTrpc().security.list.infiniteQueryOptions(
      listInput(parseSecurityView(toSearch(await searchParams))),
      { getNextPageParam: ({ nextCursor }) => nextCursor, initialCursor: null },
    ),
  );
  return (
    <Hydrate>
      <SecurityPage />
    </Hydrate>
  );
}
