// One intent of many hosts: a preview of who can, and a result for each.
import { reachOf } from "@/server/domain/access/access";
import { mostBulkHosts } from "@/server/domain/hosts/bulk-intents";
import { hostActions } from "@/server/domain/hosts/host-actions";
import type { HostIntent } from "@/server/domain/hosts/host-actions";
import { refusal } from "@/server/domain/lifecycle/intents";
import { isState } from "@/server/domain/lifecycle/states";
import type { Actor, Request } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { auditRefusal } from "@/server/usecases/define-act";
import type { Act } from "@/server/usecases/define-act";
import { cleaningColumn, toCleaningFacts } from "@/server/usecases/hosts/cleaning-facts";
import { deleteHost } from "@/server/usecases/hosts/delete-host";
import type { HostActPreview, HostActResult } from "@/server/usecases/hosts/host-shapes";
import { findHostIds } from "@/server/usecases/hosts/list-hosts";
import { manageHost } from "@/server/usecases/hosts/manage-host";
import { provideHost } from "@/server/usecases/hosts/provide-host";
import { restartReclamation } from "@/server/usecases/hosts/restart-reclamation";
import { retryReclamation } from "@/server/usecases/hosts/retry-reclamation";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

/** Most hosts of one act: each is its own transaction and event, so more would outlast the request. */
export const mostHosts = 500;
const atOnce = 4;
const reasonsShown = 50;

export const hostIntentActs = {
  manage: manageHost,
  provide: provideHost,
  retry: retryReclamation,
  restart: restartReclamation,
  forceDelete: deleteHost,
} satisfies Record<HostIntent, Act<{ hostId: string; stateVersion?: string | undefined }, { accepted: true }>>;

export interface HostActQuery {
  readonly target: { readonly hostIds: readonly string[] } | { readonly filter: string };
  readonly intent: HostIntent;
}

/** "Select all" is a filter, not a list: it is read again when the act runs. */
async function targets(backend: Backend, actor: Actor, { target, intent }: HostActQuery, most: number): Promise<Outcome<readonly string[]>> {
  if (reachOf(actor.role, hostActions[intent].right) !== "any") return refused("forbidden", `The role ${actor.role} may not do ${hostActions[intent].right}.`);
  if ("hostIds" in target) return done([...new Set(target.hostIds)]);
  const found = await findHostIds(backend, target.filter, most + 1);
  if (found === null) return refused("invalid", "The filter is not understood.", "filter");
  return found.length > most ? refused("invalid", `The filter finds more than ${most} hosts; act on fewer at once.`, "filter") : done(found);
}

interface FactsRow {
  readonly host_id: string;
  readonly name: string;
  readonly state: string;
  readonly allocatable: boolean;
  readonly instance_open: boolean;
  readonly release_requested: boolean;
  readonly reclamation_open: boolean;
  readonly cleaning: unknown;
}

const readFacts = ({ database }: Backend, hostIds: readonly string[]): Promise<FactsRow[]> => database.$queryRaw`
  SELECT r.host_id::text, r.name, r.state, r.allocatable, i.id IS NOT NULL AS instance_open, i.release_requested_at IS NOT NULL AS release_requested,
    EXISTS (SELECT 1 FROM reclamation c WHERE c.host_id = r.host_id AND c.ended_at IS NULL) AS reclamation_open, ${cleaningColumn}
  FROM host_run r LEFT JOIN instance i ON i.host_id = r.host_id AND i.ended_at IS NULL
  WHERE r.host_id = ANY(${[...hostIds]}::uuid[]) ORDER BY r.name`;

/** Stores nothing: what buttons say of a selection. An act on many hosts has its own (`bulk/preview-bulk.ts`). */
export async function previewHostAct(backend: Backend, actor: Actor, query: HostActQuery): Promise<Outcome<HostActPreview>> {
  const ids = await targets(backend, actor, query, mostBulkHosts);
  if (!ids.ok) return ids;
  const rows = await readFacts(backend, ids.value);
  const cannot = rows.flatMap((row) => {
    if (!isState(row.state)) return [{ hostId: row.host_id, name: row.name, reason: `in the unknown state ${row.state}` }];
    const reason = refusal(query.intent, { state: row.state, allocatable: row.allocatable, instanceOpen: row.instance_open, releaseRequested: row.release_requested, reclamationOpen: row.reclamation_open, cleaning: toCleaningFacts(row.state, row.cleaning) });
    return reason === null ? [] : [{ hostId: row.host_id, name: row.name, reason }];
  });
  return done({ total: rows.length, can: rows.length - cannot.length, cannot: cannot.slice(0, reasonsShown) });
}

/** Each host is its own act: one that refuses holds up no other. */
export async function actOnHosts(backend: Backend, actor: Actor, request: Request, query: HostActQuery): Promise<Outcome<readonly HostActResult[]>> {
  const ids = await targets(backend, actor, query, mostHosts);
  if (!ids.ok) {
    await auditRefusal(backend, actor, request, { action: hostIntentActs[query.intent].action, targetId: null, problem: ids.problem });
    return ids;
  }
  const names = new Map((await readFacts(backend, ids.value)).map(({ host_id, name }) => [host_id, name]));
  const results: HostActResult[] = [];
  const queue = [...ids.value];
  const work = async () => {
    for (let hostId = queue.shift(); hostId !== undefined; hostId = queue.shift()) {
      const result = await hostIntentActs[query.intent](backend, actor, request, { hostId });
      results.push({ hostId, name: names.get(hostId) ?? hostId, ok: result.ok, message: result.ok ? null : result.problem.detail });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return done(results.sort((a, b) => a.name.localeCompare(b.name)));
}
