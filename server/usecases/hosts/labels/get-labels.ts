// The labels of one host, by its id or name, for those who may change them.
import type { HostLabels } from "@/server/domain/hosts/labels/host-labels";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { labelRefusal } from "@/server/usecases/hosts/labels/who-labels";
import { readLabels } from "@/server/usecases/instances/labels";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";
import { isUuid } from "@/server/domain/uuid";

export async function getHostLabels(
  { database }: Backend,
  actor: Actor,
  { host }: { readonly host: string },
): Promise<Outcome<{ readonly id: string; readonly name: string; readonly labels: HostLabels }>> {
  const scope = scopeOf(actor, "host.summary");
  if (!scope.ok) return scope;
  const found = await database.host.findUnique({
    where: isUuid(host) ? { id: host } : { name: host },
    select: { id: true, name: true, labels: true, siteId: true, run: { select: { outsideLease: true } } },
  });
  if (found === null) return labelRefusal(actor, null, host) ?? notFound("host", host);
  const holder = await database.instance.findFirst({
    where: { hostId: found.id, endedAt: null },
    select: { tenantId: true },
  });
  const { id, name, labels, siteId, run } = found;
  const leased = run?.outsideLease != null;
  return (
    labelRefusal(actor, { id, siteId, heldBy: holder?.tenantId ?? null, leased }, host) ??
    done({ id, name, labels: readLabels(labels) })
  );
}
