// External systems that may take hosts for repair.
import type { Metadata } from "next";
import { NoPermission } from "@/components/frame/no-permission";
import { RepairSystemsPage } from "@/components/repair/leases/systems-page";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";

export const metadata: Metadata = { title: "Repair systems" };

export default async function Page() {
  const me = await requireMe();
  if (!me.pages.includes("settings")) return <NoPermission title="Repair systems" me={me} />;
  await getQueryClient().fetchQuery(serverTrpc().leases.systems.queryOptions());
  return (
    <Hydrate>
      <RepairSystemsPage />
    </Hydrate>
  );
}
