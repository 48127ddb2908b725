// What another policy of a site would change, before it is saved: from known drives and from reclamations of the last 90 days.
import { sql } from "kysely";
import { foreseeSettings } from "@/server/domain/cleaning/foresight";
import type { OtherSettings } from "@/server/domain/cleaning/foresight";
import { storedPolicy } from "@/server/domain/cleaning/policy";
import type { Policy } from "@/server/domain/cleaning/policy";
import { stepName } from "@/server/domain/cleaning/steps/step";
import { foreseeErase, untold } from "@/server/domain/sanitization/foresight/foresight";
import type { EraseForesight } from "@/server/domain/sanitization/foresight/foresight";
import type { Sanitization } from "@/server/domain/sanitization/judge";
import { queryRows } from "@/server/db/sql";
import type { PolicyForesight } from "@/server/contract/answers/foresight";
import type { EraseSettings } from "@/server/contract/policy";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import {
  mostResults,
  readKnownDrives,
  readRecordedResults,
} from "@/server/usecases/cleaning/policy/recorded-erases";
import { readRecordedRuns } from "@/server/usecases/cleaning/policy/recorded-runs";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

const dayMs = 86_400_000;
const days = 90;
const shown = 50;

export interface PolicyQuestion {
  readonly siteId: string;
  readonly erase?: EraseSettings | undefined;
  readonly automatedClean?: boolean | undefined;
  readonly validationTests?: readonly string[] | undefined;
  readonly atWork?: number | null | undefined;
  readonly priorities?: Readonly<Record<string, number>> | undefined;
}

/** A policy with other erase settings; what they do not name stays. Pure. */
export const withErase = (before: Sanitization, erase: EraseSettings | undefined): Sanitization => {
  if (erase === undefined) return before;
  const { standard, minimum, techniques, fallback } = erase;
  return { ...before, standard, minimum, erase: { ...before.erase, techniques, fallback } };
};

/** The settings besides the erase, before and after. */
async function otherSettings(
  { database }: Backend,
  { body, asked }: { readonly body: Policy; readonly asked: PolicyQuestion },
): Promise<{ readonly before: OtherSettings; readonly after: OtherSettings }> {
  const overrides = await database.stepOverride.findMany({
    where: { scope: "site", scopeId: asked.siteId },
  });
  const before: OtherSettings = {
    automatedClean: body.automatedClean,
    validationTests: body.validationTests,
    atWork: body.admission.atWork,
    priorities: Object.fromEntries(overrides.map((row) => [stepName(row), row.priority])),
  };
  return {
    before,
    after: {
      automatedClean: asked.automatedClean ?? before.automatedClean,
      validationTests: asked.validationTests ?? before.validationTests,
      atWork: asked.atWork === undefined ? before.atWork : asked.atWork,
      priorities: { ...before.priorities, ...asked.priorities },
    },
  };
}

/** Whether results of that time were left out. */
async function isTruncated({ database }: Backend, since: Date): Promise<boolean> {
  const [row] = await queryRows(
    database,
    sql<{ older: boolean }>`
    SELECT EXISTS (SELECT FROM device_result d
      WHERE d.id = (SELECT max(id) - ${mostResults} FROM device_result) AND d.at >= ${since}) AS older`,
  );
  return row?.older ?? false;
}

interface HeadRow {
  readonly id: string;
  readonly number: string;
  readonly host: string;
  readonly startedAt: Date;
  readonly outcome: string | null;
}

/** The first reclamations that would have ended otherwise, the newest first. */
async function readOtherwise(
  { database }: Backend,
  { stops, passes }: Pick<EraseForesight, "stops" | "passes">,
): Promise<PolicyForesight["otherwise"]> {
  const reasons = new Map(stops.map(({ reclamation, reason }) => [reclamation, reason]));
  const ids = [...reasons.keys(), ...passes];
  if (ids.length === 0) return [];
  const rows = await queryRows(
    database,
    sql<HeadRow>`
    SELECT c.id::text, c.number::text, h.name AS host, c.started_at AS "startedAt", c.outcome
    FROM reclamation c JOIN host h ON h.id = c.host_id WHERE c.id = ANY(${ids}::uuid[])
    ORDER BY c.started_at DESC LIMIT ${shown}`,
  );
  return rows.map((row) => {
    const reason = reasons.get(row.id);
    return reason === undefined
      ? { ...row, would: "pass" as const, reason: "its drives would have met the policy" }
      : { ...row, would: "stop" as const, reason };
  });
}

export async function previewPolicy(
  backend: Backend,
  actor: Actor,
  asked: PolicyQuestion,
): Promise<Outcome<PolicyForesight>> {
  const scope = scopeOf(actor, "cleaning.read");
  if (!scope.ok) return scope;
  const { database } = backend;
  const site = await database.site.findUnique({
    where: { id: asked.siteId },
    select: { id: true, name: true, policyVersion: true },
  });
  if (site === null) return notFound("site", asked.siteId);
  const inForce = await database.sitePolicy.findUniqueOrThrow({
    where: { siteId_version: { siteId: site.id, version: site.policyVersion } },
  });
  const body = storedPolicy.parse(inForce.body);
  const after = withErase(body.sanitization, asked.erase);
  const since = new Date(Date.now() - days * dayMs);
  const [drives, results, runs, other, truncated] = await Promise.all([
    readKnownDrives(database, site.id),
    readRecordedResults(database, site.id, since),
    readRecordedRuns(database, site.id, since),
    otherSettings(backend, { body, asked }),
    isTruncated(backend, since),
  ]);
  const { models, stops, passes, unknown, same } = foreseeErase(body.sanitization, after, drives, results);
  const told = stops.length + passes.length + unknown.length + same;
  return done({
    siteId: site.id,
    site: site.name,
    policyVersion: site.policyVersion,
    since,
    truncated,
    models,
    reclamations: {
      total: runs.total,
      stop: stops.length,
      pass: passes.length,
      unknown: unknown.length,
      same,
      withoutErase: Math.max(0, runs.total - told),
    },
    otherwise: await readOtherwise(backend, { stops, passes }),
    effects: foreseeSettings(other.before, other.after, runs),
    notes: untold(body.sanitization, after),
  });
}
