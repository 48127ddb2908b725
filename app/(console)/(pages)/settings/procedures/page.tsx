// A site's procedures: the list, their versions, and the form of one.
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { NoPermission } from "@/components/frame/no-permission";
import { ProceduresPage } from "@/components/assurance/procedures/procedures-page";
import { getQueryClient, Hydrate, requireMe, serverTrpc } from "@/app/server-api";
import { toSearch, type SearchParams } from "@/app/search";

export const metadata: Metadata = { title: "Procedures" };

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const me = await requireMe();
  if (!me.pages.includes("settings") || !me.pages.includes("assurance"))
    return <NoPermission title="Procedures" me={me} />;
  const wanted = toSearch(await searchParams).get("site");
  const { cleaning, procedures } = serverTrpc();
  const client = getQueryClient();
  const [{ sites }] = await Promise.all([
    client.fetchQuery(cleaning.scopes.queryOptions()),
    client.fetchQuery(procedures.list.queryOptions()),
  ]);
  if (wanted !== null && !sites.some(({ name }) => name === wanted)) notFound();
  return (
    <Hydrate>
      <ProceduresPage />
    </Hydrate>
  );
}
