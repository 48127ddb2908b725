// What a tenant can act on: notices for its machines, and, where it repairs hosts, those that it may claim.
import { noticeGroup, repairGroup } from "@/server/domain/next/other-lines";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { listNotices } from "@/server/usecases/break-fix/notices";
import type { SeenGroup } from "@/server/usecases/next/provider-groups";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { readClaimable } from "@/server/usecases/repair/queue-rows";
import { atSites, mayRepair, repairScope } from "@/server/usecases/repair/repair-scope";

/** More than anybody reads; the line says how many there are up to it. */
const mostNotices = 100;

async function noticeGroups(backend: Backend, actor: Actor): Promise<Outcome<readonly SeenGroup[]>> {
  const read = await listNotices(backend, actor, { status: "open", allInstances: false, limit: mostNotices });
  if (!read.ok) return read;
  const open = read.value
    .filter(({ mayAcknowledge }) => mayAcknowledge)
    .toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime());
  const [first] = open;
  if (first === undefined) return done([]);
  const since = open.reduce(
    (oldest, { createdAt }) => (createdAt < oldest ? createdAt : oldest),
    first.createdAt,
  );
  return done([{ ...noticeGroup({ ...first, notices: open.length, since }), mayAct: true }]);
}

async function repairGroups({ database }: Backend, actor: Actor): Promise<Outcome<readonly SeenGroup[]>> {
  if (!mayRepair(actor)) return done([]);
  const scope = repairScope(actor);
  if (!scope.ok) return scope;
  const claimable = await readClaimable(database, atSites(scope.value));
  return done(claimable === null ? [] : [{ ...repairGroup({ ...claimable, own: true }), mayAct: true }]);
}

export async function tenantGroups(backend: Backend, actor: Actor): Promise<Outcome<readonly SeenGroup[]>> {
  const [notices, repairs] = await Promise.all([noticeGroups(backend, actor), repairGroups(backend, actor)]);
  if (!notices.ok) return notices;
  if (!repairs.ok) return repairs;
  return done([...notices.value, ...repairs.value]);
}
