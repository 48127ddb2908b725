// The signed-in user's account: password, passkeys, tokens, sessions.
import type { Metadata } from "next";
import { AccountPage } from "@/components/access/account-page";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";

export const metadata: Metadata = { title: "Account" };

export default async function Page() {
  const { personId } = await requireMe();
  const { passkeys, tokens, sessions } = serverTrpc();
  const client = getQueryClient();
  await Promise.all([
    client.fetchQuery(passkeys.list.queryOptions()),
    client.fetchQuery(tokens.list.queryOptions({ personId })),
    client.fetchQuery(sessions.list.queryOptions({ personId })),
  ]);
  return (
    <Hydrate>
      <AccountPage />
    </Hydrate>
  );
}
