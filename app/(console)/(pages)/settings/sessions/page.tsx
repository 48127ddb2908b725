// Sessions of all users.
import type { Metadata } from "next";
import { NoPermission } from "@/components/frame/no-permission";
import { SessionsPage } from "@/components/access/all-access-pages";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";
import { reachOf } from "@/server/domain/access/access";

export const metadata: Metadata = { title: "Sessions" };

export default async function Page() {
  const me = await requireMe();
  if (reachOf(me.role, "person.read") !== "any") return <NoPermission title="Sessions" me={me} />;
  await getQueryClient().fetchQuery(serverTrpc().sessions.list.queryOptions({}));
  return (
    <Hydrate>
      <SessionsPage />
    </Hydrate>
  );
}
