// One enrolment. The first page of its lines is prefetched, for the stage in the URL.
import type { Metadata } from "next";
import { EnrolmentPage } from "@/components/hosts/enrolment/enrolment-page";
import { linesQuery, parseStage } from "@/components/hosts/enrolment/enrolment-text";
import { NoPermission } from "@/components/frame/no-permission";
import { getQueryClient, Hydrate, readOr404, requireMe, serverTrpc } from "@/app/server-api";
import { toSearch, type SearchParams } from "@/app/search";

export const metadata: Metadata = { title: "Enrolment" };

export default async function Page({
  params,
  searchParams,
}: {
  params: Promise<{ enrolment: string }>;
  searchParams: SearchParams;
}) {
  const me = await requireMe();
  if (!me.pages.includes("hosts")) return <NoPermission title="Enrolment" me={me} />;
  const { enrolment: id } = await params;
  const stage = parseStage(toSearch(await searchParams));
  await readOr404(() =>
    getQueryClient().fetchInfiniteQuery(
      serverTrpc().enrolment.get.infiniteQueryOptions(linesQuery(id, stage), {
        getNextPageParam: (page) => page.nextCursor,
      }),
    ),
  );
  return (
    <Hydrate>
      <EnrolmentPage id={id} stage={stage} />
    </Hydrate>
  );
}
