// Users: who can sign in.
import type { Metadata } from "next";
import { NoPermission } from "@/components/frame/no-permission";
import { UsersPage } from "@/components/access/users-page";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";
import { reachOf } from "@/server/domain/access/access";

export const metadata: Metadata = { title: "Users" };

export default async function Page() {
  const me = await requireMe();
  if (reachOf(me.role, "person.read") !== "any") return <NoPermission title="Users" me={me} />;
  await getQueryClient().fetchQuery(serverTrpc().people.list.queryOptions());
  return (
    <Hydrate>
      <UsersPage />
    </Hydrate>
  );
}
