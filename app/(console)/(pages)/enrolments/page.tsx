// Enrolments: groups of hosts that were enrolled together.
import type { Metadata } from "next";
import { EnrolmentsPage } from "@/components/hosts/enrolment/enrolments-page";
import { NoPermission } from "@/components/frame/no-permission";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";

export const metadata: Metadata = { title: "Enrolments" };

export default async function Page() {
  const me = await requireMe();
  if (!me.pages.includes("hosts")) return <NoPermission title="Enrolments" me={me} />;
  await getQueryClient().fetchQuery(serverTrpc().enrolment.list.queryOptions());
  return (
    <Hydrate>
      <EnrolmentsPage />
    </Hydrate>
  );
}
