// The host of a page, by id or name, for those who may read hosts; a gone host is found by its id.
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";
import { isUuid } from "@/server/domain/uuid";

export interface ReadableHost {
  readonly id: string;
  readonly name: string;
  /** Null until its BMC was read. */
  readonly serial: string | null;
}

export async function findReadableHost(
  { database }: Backend,
  actor: Actor,
  host: string,
): Promise<Outcome<ReadableHost>> {
  const scope = scopeOf(actor, "host.read");
  if (!scope.ok) return scope;
  const found = await database.host.findUnique({
    where: isUuid(host) ? { id: host } : { name: host },
    select: { id: true, name: true, serial: true },
  });
  if (found !== null) return { ok: true, value: found };
  // History, reclamations and evidence of a host outlive it (docs/adr/0059-decommission.md).
  const gone = isUuid(host)
    ? await database.goneHost.findFirst({
        where: { hostId: host },
        orderBy: [{ goneAt: "desc" }, { id: "desc" }],
        select: { name: true, serial: true },
      })
    : null;
  return gone === null ? notFound("host", host) : { ok: true, value: { id: host, ...gone } };
}
