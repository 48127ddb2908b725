// A host's reclamations, and its states newest first, in pages.
import { describeState } from "@/server/domain/lifecycle/state-table";
import { storedState } from "@/server/domain/lifecycle/states";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { findReadableHost } from "@/server/usecases/hosts/list/find-readable-host";
import type { HostHistory } from "@/server/contract/reclamations/reclamation";
import { reclamationColumns, toReclamationHead } from "@/server/usecases/reclamations/reclamation-head";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { tenantNames } from "@/server/usecases/tenant-names";

const statesPerPage = 100;
const reclamationsShown = 50;

/** @param query.before a version; returns only older states */
export async function getHistory(
  backend: Backend,
  actor: Actor,
  query: { readonly hostId: string; readonly before?: string | undefined },
): Promise<Outcome<HostHistory>> {
  const found = await findReadableHost(backend, actor, query.hostId);
  if (!found.ok) return found;
  if (query.before !== undefined && !/^\d{1,18}$/.test(query.before))
    return refused("invalid", "before must be a state version.", "before");
  const { database } = backend;
  const hostId = found.value.id;
  // One row more than a page, which also gives the duration of the oldest state shown.
  const [rows, reclamations, names] = await Promise.all([
    database.stateHistory.findMany({
      where: { hostId, ...(query.before === undefined ? {} : { version: { lte: BigInt(query.before) } }) },
      orderBy: { version: "desc" },
      take: statesPerPage + 2,
    }),
    database.reclamation.findMany({
      where: { hostId },
      orderBy: [{ startedAt: "desc" }, { number: "desc" }],
      take: reclamationsShown,
      select: reclamationColumns,
    }),
    tenantNames(database),
  ]);
  const page = query.before === undefined ? rows.slice(0, statesPerPage) : rows.slice(1, statesPerPage + 1);
  const numbers = new Map(reclamations.map(({ id, number }) => [id, `R-${number}`]));
  const last = page.at(-1);
  const oldest = rows.at(-1);
  return done({
    reclamations: reclamations.map((row) => toReclamationHead(row, names)),
    states: page.map((row) => {
      const state = storedState(row.state);
      const next = rows[rows.indexOf(row) - 1];
      return {
        version: String(row.version),
        state,
        tone: describeState(state).tone,
        at: row.at,
        tookMs: next === undefined ? null : next.at.getTime() - row.at.getTime(),
        reason: row.reason,
        reclamationNumber: row.reclamationId === null ? null : (numbers.get(row.reclamationId) ?? null),
      };
    }),
    nextBefore:
      last === undefined || oldest === undefined || last.version === oldest.version
        ? null
        : String(last.version),
  });
}
