// Bulk acts.
import type { Metadata } from "next";
import { RunsPage } from "@/components/hosts/bulk/runs-page";
import { NoPermission } from "@/components/frame/no-permission";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";

export const metadata: Metadata = { title: "Runs" };

export default async function Page() {
  const me = await requireMe();
  if (!me.pages.includes("cleaning")) return <NoPermission title="Runs" me={me} />;
  await getQueryClient().fetchQuery(serverTrpc().bulk.list.queryOptions());
  return (
    <Hydrate>
      <RunsPage />
    </Hydrate>
  );
}
