// The proof desk; a tenant sees its own returns.
import type { Metadata } from "next";
import { NoPermission } from "@/components/frame/no-permission";
import { ProofPage } from "@/components/assurance/proof/proof-page";
import { returnsQuery } from "@/components/assurance/proof/proof-query";
import { readSelection } from "@/components/assurance/proof/proof-selection";
import { toSearch } from "@/app/search";
import type { SearchParams } from "@/app/search";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";

export const metadata: Metadata = { title: "Proof" };

export default async function Page({ searchParams }: { readonly searchParams: SearchParams }) {
  const me = await requireMe();
  if (!me.pages.includes("proof")) return <NoPermission title="Proof" me={me} />;
  const selection = readSelection(toSearch(await searchParams));
  // A selection that the server refuses, such as an unknown tenant, is explained by the page.
  await getQueryClient().prefetchInfiniteQuery(returnsQuery(serverTrpc(), selection));
  return (
    <Hydrate>
      <ProofPage />
    </Hydrate>
  );
}
