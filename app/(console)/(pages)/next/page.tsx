// What to do next: the first page that everybody gets.
import type { Metadata } from "next";
import { NextPage } from "@/components/next/next-page";
import { nextQuery, parseNextView } from "@/components/next/next-view";
import { getQueryClient, Hydrate, readOr404, requireMe, serverTrpc } from "@/app/server-api";
import { toSearch, type SearchParams } from "@/app/search";

export const metadata: Metadata = { title: "Next" };

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  await requireMe();
  const view = parseNextView(toSearch(await searchParams));
  await readOr404(() => getQueryClient().fetchQuery(serverTrpc().next.list.queryOptions(nextQuery(view))));
  return (
    <Hydrate>
      <NextPage />
    </Hydrate>
  );
}
