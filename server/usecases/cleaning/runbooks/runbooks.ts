// Runbooks: named lists of steps with arguments, and the hosts that share a trait with them.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import { manualSteps } from "@/server/domain/cleaning/plan/manual";
import type { ManualStep } from "@/server/domain/cleaning/plan/manual";
import { findCleanStep } from "@/server/domain/cleaning/steps/catalogue";
import type { Reader } from "@/server/db/prisma";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import type { RunbookLine } from "@/server/contract/cleaning/cleaning-answers";
import { personNames } from "@/server/usecases/person-names";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

/** A step that only agents know counts as an erase, because its effect is unknown. */
export const erasesAnything = (steps: readonly ManualStep[]): boolean =>
  steps.some((step) => findCleanStep(step.interface, step.step)?.erases ?? true);

/** Throws if the stored value is no list of steps. */
export const storedSteps = (steps: unknown): readonly ManualStep[] => manualSteps.parse(steps);

async function lines(reader: Reader, id: string | null): Promise<readonly RunbookLine[]> {
  const rows = await reader.runbook.findMany({ where: id === null ? {} : { id }, orderBy: { name: "asc" } });
  const [people, counts] = await Promise.all([
    personNames(
      reader,
      rows.map(({ updatedBy }) => updatedBy),
    ),
    queryRows(
      reader,
      sql<{
        id: string;
        hosts: number;
      }>`SELECT b.id::text, (SELECT count(*)::int FROM host h WHERE h.traits && b.traits) AS hosts FROM runbook b WHERE b.id = ANY(${rows.map((row) => row.id)}::uuid[])`,
    ),
  ]);
  const hosts = new Map(counts.map((row) => [row.id, row.hosts]));
  return rows.map(({ createdAt: _, updatedBy, steps, ...row }) => {
    const list = storedSteps(steps);
    return {
      ...row,
      steps: list,
      erases: erasesAnything(list),
      updatedByName: updatedBy === null ? null : (people.get(updatedBy) ?? null),
      hosts: hosts.get(row.id) ?? 0,
    };
  });
}

/** Ordered by name. */
export async function listRunbooks(
  { database }: Backend,
  actor: Actor,
): Promise<Outcome<readonly RunbookLine[]>> {
  const scope = scopeOf(actor, "cleaning.read");
  return scope.ok ? done(await lines(database, null)) : scope;
}

export async function getRunbook(
  { database }: Backend,
  actor: Actor,
  query: { readonly id: string },
): Promise<Outcome<RunbookLine>> {
  const scope = scopeOf(actor, "cleaning.read");
  if (!scope.ok) return scope;
  const [found] = await lines(database, query.id);
  return found === undefined ? notFound("runbook", query.id) : done(found);
}
