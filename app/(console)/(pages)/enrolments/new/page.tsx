// Enrols one host, or a list of hosts.
import type { Metadata } from "next";
import { EnrolPage } from "@/components/hosts/enrolment/enrol-page";
import { NoPermission } from "@/components/frame/no-permission";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";
import { toSearch, type SearchParams } from "@/app/search";
import { reachOf } from "@/server/domain/access/access";

export const metadata: Metadata = { title: "Enrol hosts" };

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const me = await requireMe();
  if (reachOf(me.role, "host.enroll") !== "any") return <NoPermission title="Enrol hosts" me={me} />;
  const by = toSearch(await searchParams).get("by") === "list" ? "list" : "host";
  await getQueryClient().fetchQuery(serverTrpc().cleaning.scopes.queryOptions());
  return (
    <Hydrate>
      <EnrolPage by={by} />
    </Hydrate>
  );
}
