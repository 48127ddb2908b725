// Failed hosts, grouped by cause and device model.
import type { Metadata } from "next";
import { FailuresPage } from "@/components/cleaning/failures/failures-page";
import { NoPermission } from "@/components/frame/no-permission";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";

export const metadata: Metadata = { title: "Failures" };

export default async function Page() {
  const me = await requireMe();
  if (!me.pages.includes("cleaning")) return <NoPermission title="Failures" me={me} />;
  await getQueryClient().fetchQuery(serverTrpc().failures.groups.queryOptions());
  return (
    <Hydrate>
      <FailuresPage />
    </Hydrate>
  );
}
