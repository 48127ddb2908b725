// Audit: the audit log, its verification, and its signing keys.
import type { Metadata } from "next";
import { AuditPage } from "@/components/audit-log/audit-page";
import { listInput, parseAuditView } from "@/components/audit-log/audit-view";
import { NoPermission } from "@/components/frame/no-permission";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";
import { toSearch, type SearchParams } from "@/app/search";

export const metadata: Metadata = { title: "Audit" };

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const me = await requireMe();
  if (!me.pages.includes("audit")) return <NoPermission title="Audit" me={me} />;
  const { tab, search } = parseAuditView(toSearch(await searchParams));
  const { audit } = serverTrpc();
  if (tab === "events")
    await getQueryClient().fetchInfiniteQuery(
      audit.list.infiniteQueryOptions(listInput(search), {
        getNextPageParam: ({ nextCursor }) => nextCursor,
        initialCursor: null,
      }),
    );
  if (tab === "checks") await getQueryClient().fetchQuery(audit.selfAudit.queryOptions());
  if (tab === "keys") await getQueryClient().fetchQuery(audit.state.queryOptions());
  return (
    <Hydrate>
      <AuditPage />
    </Hydrate>
  );
}
