// One SKU, by name.
import type { Metadata } from "next";
import { NoPermission } from "@/components/frame/no-permission";
import { SkuPage } from "@/components/hosts/skus/sku-page";
import { getQueryClient, Hydrate, readOr404, requireMe, serverTrpc } from "@/app/server-api";

interface Props {
  params: Promise<{ sku: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: decodeURIComponent((await params).sku) };
}

export default async function Page({ params }: Props) {
  const me = await requireMe();
  if (!me.pages.includes("skus")) return <NoPermission title="SKU" me={me} />;
  const name = decodeURIComponent((await params).sku);
  await readOr404(() => getQueryClient().fetchQuery(serverTrpc().skus.get.queryOptions({ sku: name })));
  return (
    <Hydrate>
      <SkuPage name={name} />
    </Hydrate>
  );
}
