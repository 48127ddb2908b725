// Manual cleaning of the hosts in the URL; with several, the first serves as an example.
import type { Metadata } from "next";
import { parseManualView, type CleanTarget } from "@/components/cleaning/manual/manual-view";
import { ChooseHosts } from "@/components/cleaning/manual/choose-hosts";
import { ManualPage } from "@/components/cleaning/manual/manual-page";
import { NoPermission } from "@/components/frame/no-permission";
import { Empty } from "@/components/ui/empty";
import { getQueryClient, Hydrate, readOr404, requireMe, serverTrpc } from "@/app/server-api";
import { toSearch, type SearchParams } from "@/app/search";
import { sentFilter } from "@/server/domain/hosts/host-filter";
import { reachOf } from "@/server/domain/access/access";

export const metadata: Metadata = { title: "Manual cleaning" };

/** The host whose catalogue is shown, and the number of hosts; null if none matches. */
async function exampleOf(
  target: Exclude<CleanTarget, { kind: "none" }>,
): Promise<{ host: string; count: number } | null> {
  if (target.kind === "one") return { host: target.host, count: 1 };
  if (target.kind === "many") return { host: target.hostIds[0] ?? "", count: target.hostIds.length };
  const found = await getQueryClient().fetchQuery(
    serverTrpc().hosts.list.queryOptions({
      filter: sentFilter(target.filter),
      sort: "name",
      descending: false,
      limit: 1,
    }),
  );
  const [first] = found.rows;
  return first === undefined ? null : { host: first.name, count: found.total ?? 1 };
}

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const me = await requireMe();
  if (reachOf(me.role, "host.clean") !== "any") return <NoPermission title="Manual cleaning" me={me} />;
  const { target, runbookId } = parseManualView(toSearch(await searchParams));
  const client = getQueryClient();
  const { cleaning } = serverTrpc();
  const runbook =
    runbookId === null
      ? null
      : await readOr404(() => client.fetchQuery(cleaning.runbook.queryOptions({ id: runbookId })));
  if (target.kind === "none") return <ChooseHosts runbook={runbook} />;
  const example = await exampleOf(target);
  if (example === null)
    return (
      <Empty title="No host matches this filter">
        Select other hosts on the Hosts page and clean them from there.
      </Empty>
    );
  await Promise.all([
    readOr404(() => client.fetchQuery(cleaning.catalogue.queryOptions({ kind: "host", host: example.host }))),
    client.fetchQuery(cleaning.scopes.queryOptions()),
  ]);
  return (
    <Hydrate>
      <ManualPage target={target} host={example.host} count={example.count} runbook={runbook} />
    </Hydrate>
  );
}
