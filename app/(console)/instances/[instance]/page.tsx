// What became of a released instance's machine, by the instance's id; also available after the instance has ended.
import type { Metadata } from "next";
import { NoPermission } from "@/components/frame/no-permission";
import { ReceiptPage } from "@/components/instances/receipt/receipt-page";
import { getQueryClient, Hydrate, readOr404, requireMe, serverTrpc } from "@/app/server-api";

export const metadata: Metadata = { title: "Released instance" };

export default async function Page({ params }: { params: Promise<{ instance: string }> }) {
  const me = await requireMe();
  if (!me.pages.includes("instances")) return <NoPermission title="Released instance" me={me} />;
  const id = decodeURIComponent((await params).instance);
  await readOr404(() => getQueryClient().fetchQuery(serverTrpc().instances.receipt.queryOptions({ id })));
  return (
    <Hydrate>
      <ReceiptPage id={id} />
    </Hydrate>
  );
}
