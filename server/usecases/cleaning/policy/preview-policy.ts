// What a different policy for a site would change, before it is saved: for known drives and for reclamations of the last 90 days.
import { sql } from "kysely";
import { foreseeSettings } from "@/server/domain/cleaning/policy/settings-effect";
import type { OtherSettings } from "@/server/domain/cleaning/policy/settings-effect";
import { storedPolicy } from "@/server/domain/cleaning/policy/policy";
import type { Policy } from "@/server/domain/cleaning/policy/policy";
import { stepName } from "@/server/domain/cleaning/steps/step";
import { foreseeErase, untold } from "@/server/domain/cleaning/policy/erase-effect";
import type { EraseEffect } from "@/server/domain/cleaning/policy/erase-effect";
import type { Sanitization } from "@/server/domain/cleaning/sanitization/judge";
import { queryRows } from "@/server/db/sql";
import type { PolicyEffects } from "@/server/contract/cleaning/policy-effects";
import type { EraseSettings, PolicyQuestion } from "@/server/contract/cleaning/policy";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import {
  maxResults,
  readKnownDrives,
  readRecordedResults,
} from "@/server/usecases/cleaning/policy/recorded-erases";
import { readRecordedGates } from "@/server/usecases/cleaning/policy/recorded-gates";
import { recordedHosts } from "@/server/usecases/cleaning/policy/recorded-hosts";
import { maxRuns, readRecordedRuns } from "@/server/usecases/cleaning/policy/recorded-runs";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

const dayMs = 86_400_000;
const days = 90;
const shown = 50;

/** A policy with other erase settings; omitted settings stay. Pure. */
export const withErase = (before: Sanitization, erase: EraseSettings | undefined): Sanitization => {
  if (erase === undefined) return before;
  const { standard, minimum, techniques, fallback } = erase;
  return { ...before, standard, minimum, erase: { ...before.erase, techniques, fallback } };
};

/** The proposed policy. Pure. */
function requestedPolicy(inForce: Policy, asked: PolicyQuestion): Policy {
  const base = asked.policy ?? inForce;
  const { requires = {}, atWork } = asked;
  const admission = asked.admission ?? base.admission;
  return {
    ...base,
    automatedClean: asked.automatedClean ?? base.automatedClean,
    validationTests: [...(asked.validationTests ?? base.validationTests)],
    sanitization: withErase(base.sanitization, asked.erase),
    requires: { ...base.requires, ...requires },
    admission: atWork === undefined ? admission : { ...admission, atWork },
  };
}

/** The site's settings, before and after. */
async function settingsOf(
  { database }: Backend,
  inForce: Policy,
  asked: PolicyQuestion,
): Promise<{ readonly before: OtherSettings; readonly after: OtherSettings }> {
  const overrides = await database.stepOverride.findMany({
    where: { scope: "site", scopeId: asked.siteId },
  });
  const priorities = Object.fromEntries(overrides.map((row) => [stepName(row), row.priority]));
  return {
    before: { policy: inForce, priorities },
    after: {
      policy: requestedPolicy(inForce, asked),
      priorities:
        asked.policy === undefined
          ? { ...priorities, ...asked.priorities }
          : (asked.priorities ?? priorities),
    },
  };
}

/** Drives and results are many, so they are read only if the erase settings differ or were asked about, or if nothing else was. */
function isAboutErase(asked: PolicyQuestion, now: Sanitization, then: Sanitization): boolean {
  const { siteId: _, ...named } = asked;
  const others = Object.values(named).some((value) => value !== undefined);
  return asked.erase !== undefined || !others || JSON.stringify(now) !== JSON.stringify(then);
}

/** Whether results of the period were left out. */
async function isTruncated({ database }: Backend, since: Date): Promise<boolean> {
  const [row] = await queryRows(
    database,
    sql<{ older: boolean }>`
    SELECT EXISTS (SELECT FROM device_result d
      WHERE d.id = (SELECT max(id) - ${maxResults} FROM device_result) AND d.at >= ${since}) AS older`,
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

/** The first reclamations that would have ended differently, newest first. */
async function readOtherwise(
  { database }: Backend,
  siteId: string,
  { stops, passes }: Pick<EraseEffect, "stops" | "passes">,
): Promise<PolicyEffects["otherwise"]> {
  const reasons = new Map(stops.map(({ reclamation, reason }) => [reclamation, reason]));
  const ids = [...reasons.keys(), ...passes];
  if (ids.length === 0) return [];
  const rows = await queryRows(
    database,
    sql<HeadRow>`
    SELECT c.id::text, c.number::text, h.name AS host, c.started_at AS "startedAt", c.outcome
    FROM reclamation c JOIN ${recordedHosts(siteId)} h ON h.id = c.host_id WHERE c.id = ANY(${ids}::uuid[])
    ORDER BY c.started_at DESC, c.number DESC LIMIT ${shown}`,
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
): Promise<Outcome<PolicyEffects>> {
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
  const since = new Date(Date.now() - days * dayMs);
  const { before, after } = await settingsOf(backend, body, asked);
  const [now, then] = [before.policy.sanitization, after.policy.sanitization];
  const erase = isAboutErase(asked, now, then);
  const [drives, results, runs, gates, truncated] = await Promise.all([
    erase ? readKnownDrives(database, site.id) : [],
    erase ? readRecordedResults(database, site.id, since) : [],
    readRecordedRuns(database, site.id, since),
    readRecordedGates(database, site.id, since),
    isTruncated(backend, since),
  ]);
  const { models, stops, passes, unknown, same } = foreseeErase(now, then, drives, results);
  const told = stops.length + passes.length + unknown.length + same;
  return done({
    siteId: site.id,
    site: site.name,
    policyVersion: site.policyVersion,
    since,
    truncated: truncated || runs.inProgress.length >= maxRuns,
    erase,
    models,
    reclamations: {
      total: runs.total,
      stop: stops.length,
      pass: passes.length,
      unknown: unknown.length,
      // With the same erase policy, every erase has the same outcome.
      same: erase ? same : runs.total,
      withoutErase: erase ? Math.max(0, runs.total - told) : 0,
    },
    otherwise: await readOtherwise(backend, site.id, { stops, passes }),
    effects: foreseeSettings(before, after, { ...runs, gates }),
    notes: untold(now, then),
  });
}
