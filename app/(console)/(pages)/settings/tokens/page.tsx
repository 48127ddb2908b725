// API tokens of all users.
import type { Metadata } from "next";
import { NoPermission } from "@/components/frame/no-permission";
import { TokensPage } from "@/components/access/all-access-pages";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";
import { reachOf } from "@/server/domain/access/access";

export const metadata: Metadata = { title: "Tokens" };

export default async function Page() {
  const me = await requireMe();
  if (reachOf(me.role, "person.read") !== "any") return <NoPermission title="Tokens" me={me} />;
  await getQueryClient().fetchQuery(serverTrpc().tokens.list.queryOptions({}));
  return (
    <Hydrate>
      <TokensPage />
    </Hydrate>
  );
}
