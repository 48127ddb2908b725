// Runbooks.
import type { Metadata } from "next";
import { RunbooksPage } from "@/components/cleaning/runbooks/runbooks-page";
import { NoPermission } from "@/components/frame/no-permission";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";

export const metadata: Metadata = { title: "Runbooks" };

export default async function Page() {
  const me = await requireMe();
  if (!me.pages.includes("cleaning")) return <NoPermission title="Runbooks" me={me} />;
  const { cleaning } = serverTrpc();
  const client = getQueryClient();
  await Promise.all([
    client.fetchQuery(cleaning.runbooks.queryOptions()),
    client.fetchQuery(cleaning.scopes.queryOptions()),
  ]);
  return (
    <Hydrate>
      <RunbooksPage />
    </Hydrate>
  );
}
