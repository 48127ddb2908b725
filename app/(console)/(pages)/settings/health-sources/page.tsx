// Health sources: who may report on hosts over HTTP.
import type { Metadata } from "next";
import { NoPermission } from "@/components/frame/no-permission";
import { HealthSourcesPage } from "@/components/repair/health/sources-page";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";

export const metadata: Metadata = { title: "Health sources" };

export default async function Page() {
  const me = await requireMe();
  if (!me.pages.includes("settings")) return <NoPermission title="Health sources" me={me} />;
  await getQueryClient().fetchQuery(serverTrpc().health.sources.queryOptions());
  return (
    <Hydrate>
      <HealthSourcesPage />
    </Hydrate>
  );
}
