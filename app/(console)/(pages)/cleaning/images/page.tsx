// Agent images of every site: the current one, and the rollout of the candidate.
import type { Metadata } from "next";
import { NoPermission } from "@/components/frame/no-permission";
import { ImagesPage } from "@/components/cleaning/images/images-page";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";

export const metadata: Metadata = { title: "Agent images" };

export default async function Page() {
  const me = await requireMe();
  if (!me.pages.includes("cleaning")) return <NoPermission title="Agent images" me={me} />;
  await getQueryClient().fetchQuery(serverTrpc().images.list.queryOptions());
  return (
    <Hydrate>
      <ImagesPage />
    </Hydrate>
  );
}
