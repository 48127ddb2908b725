// The self-audit as people see it: the last one with its faults, earlier ones, and how to request one.
import { sql } from "kysely";
import { audit } from "@/server/contract/audit-log/audit-log";
import type { SelfAuditLine, SelfAuditStanding } from "@/server/contract/audit-log/self-audits";
import {
  readAcknowledgements,
  readCheckNow,
  readChecks,
  readLastCheck,
  readLogStart,
} from "@/server/db/audit-log/check-rows";
import type { PastCheck } from "@/server/db/audit-log/check-rows";
import { queryRows } from "@/server/db/sql";
import { findingKinds, findingTable } from "@/server/domain/audit-log/self-audit/findings";
import { openFaults } from "@/server/domain/audit-log/self-audit/open-faults";
import type { OpenFaults } from "@/server/domain/audit-log/self-audit/open-faults";
import { auditLogTarget, isOverdue } from "@/server/domain/audit-log/self-audit/self-audit";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { pagesByTime } from "@/server/usecases/cursor";
import { acted, unchanged, defineAct } from "@/server/usecases/define-act";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

/** A kind from another release is shown by its key. */
function textOf(kind: string): { readonly label: string; readonly next: string } {
  const known = findingKinds.find((each) => each === kind);
  return known === undefined
    ? { label: kind, next: "Read the release notes of the server that checked." }
    : findingTable[known];
}

const lineOf = (
  { id, at, seconds, askedBy, ok, events, covered, faults }: PastCheck,
  { open, openKinds }: Pick<OpenFaults, "open" | "openKinds">,
): SelfAuditLine => ({
  id,
  at,
  seconds,
  askedBy,
  ok,
  events,
  covered,
  faults,
  open,
  kinds: openKinds.map((kind) => ({ ...kind, label: textOf(kind.kind).label })),
});

export async function readSelfAudit(
  { database }: Backend,
  actor: Actor,
): Promise<Outcome<SelfAuditStanding>> {
  const scope = scopeOf(actor, "audit.read");
  if (!scope.ok) return scope;
  const [last, now] = await Promise.all([readLastCheck(database), readCheckNow(database)]);
  const since = last?.at ?? (await readLogStart(database));
  return done({
    last: last === null ? null : lineOf(last, last),
    faults: (last?.named ?? []).map((fault) => ({ ...fault, ...textOf(fault.kind) })),
    overdue: isOverdue(since, new Date()),
    now,
  });
}

const pages = pagesByTime("self-audits");

export async function listSelfAudits(
  { database }: Backend,
  actor: Actor,
  { cursor, limit }: { readonly cursor: string | null; readonly limit: number },
): Promise<Outcome<{ readonly items: readonly SelfAuditLine[]; readonly nextCursor: string | null }>> {
  const scope = scopeOf(actor, "audit.read");
  if (!scope.ok) return scope;
  const start = pages.start(cursor);
  if (!start.ok) return start;
  const found = await readChecks(database, limit + 1, start.value);
  const acknowledged = await readAcknowledgements(database);
  const { page, nextCursor } = pages.page(found, limit, ({ at, id }) => [at, id]);
  return done({ items: page.map((check) => lineOf(check, openFaults(check, acknowledged))), nextCursor });
}

/** Only requests it: a controller runs the check, with the sequencer's database role. */
export const askSelfAudit = defineAct({
  ...audit.selfCheck,
  names: () => ({ kind: "log", id: auditLogTarget }),
  find: () => Promise.resolve({ id: auditLogTarget, belongs: { tenantId: null }, value: null }),
  run: async ({ tx, actor }) => {
    // Only one at a time: the row of one that is requested or in progress blocks another.
    const made = await queryRows(
      tx,
      sql`INSERT INTO audit_check (asked_by) VALUES (${actor.name}) ON CONFLICT DO NOTHING RETURNING asked_at`,
    );
    if (made.length === 0) return unchanged({ already: true });
    return acted({
      value: { already: false },
      targetId: auditLogTarget,
      tenantId: null,
      before: null,
      after: null,
    });
  },
});
