// Acknowledges faults of the last self-audit: an audit event with the reason. They remain faults, but no longer alert.
import { sql } from "kysely";
import { audit } from "@/server/contract/audit-log/audit-log";
import { readLastCheck } from "@/server/db/audit-log/check-rows";
import type { LastCheck } from "@/server/db/audit-log/check-rows";
import { queryRows } from "@/server/db/sql";
import { wholeKind } from "@/server/domain/audit-log/self-audit/open-faults";
import { auditLogTarget } from "@/server/domain/audit-log/self-audit/self-audit";
import { acted, unchanged, defineAct } from "@/server/usecases/define-act";
import { refused } from "@/server/usecases/problem";

/** Held until the transaction ends: of two concurrent acknowledgements, the second sees the first. */
const acknowledgeLock = 72_707_405;

/** The requested open faults. Without `keys`, whole kinds are acknowledged, including faults of the kind that are not listed by name. */
function chosenOf({ named, kinds }: LastCheck, keys: readonly string[] | undefined) {
  const open = named.filter(({ acknowledged }) => acknowledged === null);
  const chosen = keys === undefined ? open : open.filter(({ key }) => keys.includes(key));
  return {
    keys: chosen.map(({ key }) => key),
    kinds: keys === undefined ? kinds.map(({ kind, digest }) => wholeKind(kind, digest)) : [],
  };
}

export const acknowledgeFaults = defineAct({
  ...audit.acknowledge,
  names: ({ check }) => ({ kind: "self-audit", id: check }),
  find: async ({ tx }) => {
    await queryRows(tx, sql`SELECT pg_advisory_xact_lock(${sql.lit(acknowledgeLock)})::text AS locked`);
    const last = await readLastCheck(tx);
    return last === null ? null : { id: auditLogTarget, belongs: { tenantId: null }, value: last };
  },
  run: (_context, last, { check, keys, reason }) => {
    // safety: self-audit: only faults that somebody has seen are acknowledged
    if (last.id !== check)
      return refused(
        "conflict",
        "A newer self-audit has ended. Look at its faults, and acknowledge those.",
        "check",
      );
    const unknown = keys?.find((key) => last.named.every((fault) => fault.key !== key));
    if (unknown !== undefined)
      return refused("invalid", `The last self-audit has no fault ${unknown}.`, "keys");
    const uncounted = last.kinds.find(({ complete }) => !complete);
    // safety: self-audit: faults that nobody has counted are not acknowledged
    if (keys === undefined && uncounted !== undefined)
      return refused(
        "conflict",
        `The check found more faults of the kind ${uncounted.kind} than it counts, so they cannot all be acknowledged at once. Find their cause, or acknowledge single faults by their keys.`,
        "keys",
      );
    const chosen = chosenOf(last, keys);
    const count = keys === undefined ? last.open : chosen.keys.length;
    const value = { acknowledged: count, open: last.open - count };
    if (count === 0) return unchanged(value);
    return acted({
      value,
      targetId: auditLogTarget,
      tenantId: null,
      before: { open: last.open },
      after: { check, ...chosen, open: value.open, reason },
    });
  },
});
