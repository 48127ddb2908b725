// One drive, by id or serial number. If several drives share the serial number, the user chooses one.
import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { DrivePage } from "@/components/hosts/drives/drive-page";
import { NoPermission } from "@/components/frame/no-permission";
import { getQueryClient, Hydrate, readOr404, requireMe, serverTrpc } from "@/app/server-api";
import { toSearch, type SearchParams } from "@/app/search";
import { routes } from "@/server/domain/console/routes";

interface Props {
  params: Promise<{ drive: string }>;
  searchParams: SearchParams;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Drive ${decodeURIComponent((await params).drive)}` };
}

export default async function Page({ params, searchParams }: Props) {
  const me = await requireMe();
  if (!me.pages.includes("hosts")) return <NoPermission title="Drive" me={me} />;
  const text = decodeURIComponent((await params).drive);
  const model = toSearch(await searchParams).get("model") ?? undefined;
  const client = getQueryClient();
  const { drives } = serverTrpc();
  const found = await readOr404(() => client.fetchQuery(drives.find.queryOptions({ text, model })));
  const [first, ...others] = found;
  if (first === undefined) notFound();
  // The list shows where each of them is.
  if (others.length > 0) redirect(routes.drives.list({ q: first.serial }));
  await readOr404(() => client.fetchQuery(drives.get.queryOptions({ id: first.id })));
  return (
    <Hydrate>
      <DrivePage id={first.id} />
    </Hydrate>
  );
}
