// Assurance: due procedures, and records that await another person.
import type { Metadata } from "next";
import { AssurancePage } from "@/components/assurance/assurance-page";
import { dueQuery, waitingQuery } from "@/components/assurance/assurance-view";
import { NoPermission } from "@/components/frame/no-permission";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";

export const metadata: Metadata = { title: "Assurance" };

export default async function Page() {
  const me = await requireMe();
  if (!me.pages.includes("assurance")) return <NoPermission title="Assurance" me={me} />;
  const { procedures, approvals } = serverTrpc();
  await Promise.all([
    getQueryClient().fetchInfiniteQuery(
      procedures.due.infiniteQueryOptions(dueQuery, { getNextPageParam: (page) => page.nextCursor }),
    ),
    getQueryClient().fetchInfiniteQuery(
      approvals.list.infiniteQueryOptions(waitingQuery, { getNextPageParam: (page) => page.nextCursor }),
    ),
  ]);
  return (
    <Hydrate>
      <AssurancePage />
    </Hydrate>
  );
}
