// Measured boot: hosts by state, measurements without a bundle, and the bundles. Provider users only.
import type { Metadata } from "next";
import { MeasuredBootPage } from "@/components/hosts/attestation/measured-boot-page";
import { NoPermission } from "@/components/frame/no-permission";
import { reachOf } from "@/server/domain/access/access";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";

export const metadata: Metadata = { title: "Measured boot" };

export default async function Page() {
  const me = await requireMe();
  if (!me.pages.includes("hosts") || reachOf(me.role, "site.read") !== "any")
    return <NoPermission title="Measured boot" me={me} />;
  await getQueryClient().fetchQuery(serverTrpc().attestation.overview.queryOptions());
  return (
    <Hydrate>
      <MeasuredBootPage />
    </Hydrate>
  );
}
