// One runbook by id, or `new`. Its steps are chosen from those of the most common hardware type.
import type { Metadata } from "next";
import { RunbookPage } from "@/components/cleaning/runbooks/runbook-page";
import { NoPermission } from "@/components/frame/no-permission";
import { Empty } from "@/components/ui/empty";
import { getQueryClient, Hydrate, readOr404, requireMe, serverTrpc } from "@/app/server-api";
import { reachOf } from "@/server/domain/access/access";

export const metadata: Metadata = { title: "Runbook" };

export default async function Page({ params }: { params: Promise<{ runbook: string }> }) {
  const me = await requireMe();
  if (!me.pages.includes("cleaning")) return <NoPermission title="Runbook" me={me} />;
  const { runbook } = await params;
  const id = runbook === "new" ? null : runbook;
  if (id === null && reachOf(me.role, "runbook.write") !== "any")
    return <NoPermission title="New runbook" me={me} />;
  const { cleaning } = serverTrpc();
  const client = getQueryClient();
  const scopes = await client.fetchQuery(cleaning.scopes.queryOptions());
  const hardwareType = scopes.hardwareTypes.toSorted((a, b) => b.hosts - a.hosts)[0]?.name;
  if (hardwareType === undefined)
    return (
      <Empty title="No hosts yet">
        Which steps a runbook can have depends on the hardware of the hosts. Enrol a host first.
      </Empty>
    );
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
