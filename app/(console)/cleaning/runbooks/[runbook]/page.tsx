// One runbook by its id, or `new`; its steps are chosen from those of the most common hardware.
import type { Metadata } from "next";
import { RunbookPage } from "@/components/runbooks/runbook-page";
import { NoPermission } from "@/components/frame/no-permission";
import { Empty } from "@/components/ui/empty";
import { getQueryClient, Hydrate, readOr404, requireMe, serverTrpc } from "@/app/server-api";

export const metadata: Metadata = { title: "Runbook" };

export default async function Page({ params }: { params: Promise<{ runbook: string }> }) {
  const me = await requireMe();
  if (!me.pages.includes("cleaning")) return <NoPermission title="Runbook" me={me} />;
  const { runbook } = await params;
  const { cleaning } = serverTrpc();
  const client = getQueryClient();
  const scopes = await client.fetchQuery(cleaning.scopes.queryOptions());
  const hardwareType = scopes.hardwareTypes.toSorted((a, b) => b.hosts - a.hosts)[0]?.name;
  if (hardwareType === undefined)
    return (
      <Empty title="There is no host yet">
        Which steps a runbook can hold depends on the hardware that there is.
      </Empty>
    );
  const id = runbook === "new" ? null : runbook;
  await Promise.all([
    client.fetchQuery(cleaning.catalogue.queryOptions({ kind: "hardwareType", hardwareType })),
    id === null ? null : readOr404(() => client.fetchQuery(cleaning.runbook.queryOptions({ id }))),
  ]);
  return (
    <Hydrate>
      <RunbookPage id={id} hardwareType={hardwareType} />
    </Hydrate>
  );
}
