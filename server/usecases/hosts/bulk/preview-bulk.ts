// Stores which hosts can and cannot carry out an intent, with the state version of each: `bulk.start` runs exactly this.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { execute, queryRows } from "@/server/db/sql";
import { randomUUID } from "node:crypto";
import { offeredStep } from "@/server/domain/agents/protocol";
import { manualFaults, traitRefusal } from "@/server/domain/cleaning/plan/manual";
import { actionRefusal } from "@/server/domain/hosts/action-refusal";
import { isLarge, leavesAllocation, maxBulkHosts } from "@/server/domain/hosts/bulk-intents";
import { hostActions } from "@/server/domain/hosts/host-actions";
import { isFailed } from "@/server/domain/lifecycle/states";
import type { Transaction } from "@/server/db/prisma";
import { checkedArgs } from "@/server/usecases/hosts/bulk/bulk-args";
import type { BulkArgs, BulkPreviewInput } from "@/server/usecases/hosts/bulk/bulk-args";
import type { BulkPreview, BulkReason } from "@/server/contract/hosts/bulk-answers";
import { erasesAnything } from "@/server/usecases/cleaning/runbooks/runbooks";
import { bulk } from "@/server/contract/hosts/bulk";
import { unchanged, defineAct } from "@/server/usecases/define-act";
import { filterConditions, filterFrom } from "@/server/usecases/hosts/list/host-filter-sql";
import { factsColumns, factsFrom, toIntentFacts } from "@/server/usecases/hosts/host-facts";
import type { FactsRow } from "@/server/usecases/hosts/host-facts";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

const reasonsShown = 20;
const namesShown = 5;

interface TargetRow extends FactsRow {
  readonly traits: readonly string[];
  /** Those steps of `agentsOnly` that the host's newest agent offers. */
  readonly offered: unknown;
}

/** The target as a condition on `r`; a problem if its filter is not understood. "Select all" is a filter, which is evaluated only here. */
async function which(tx: Transaction, { target }: BulkPreviewInput): Promise<Outcome<RawBuilder<unknown>>> {
  if ("hostIds" in target) return done(sql`r.host_id = ANY(${[...new Set(target.hostIds)]}::uuid[])`);
  const parsed = await filterConditions(tx, target.filter);
  if (!parsed.ok) return refused("invalid", parsed.message, "target");
  const { conditions } = parsed;
  return done(
    conditions.length === 0
      ? sql`true`
      : sql`r.host_id IN (SELECT r.host_id FROM ${filterFrom} WHERE ${sql.join([...conditions], sql` AND `)})`,
  );
}

const readTargets = (
  tx: Transaction,
  condition: RawBuilder<unknown>,
  agentsOnly: readonly string[],
): Promise<TargetRow[]> => {
  const offered =
    agentsOnly.length === 0
      ? sql`'[]'::jsonb`
      : sql`(SELECT coalesce(jsonb_agg(s), '[]') FROM (SELECT a.hardware_managers FROM agent_session a WHERE a.host_id = r.host_id ORDER BY a.boot_epoch DESC LIMIT 1) g,
          jsonb_path_query(g.hardware_managers, '$[*].steps[*]') s WHERE (s ->> 'interface') || '.' || (s ->> 'step') = ANY(${[...agentsOnly]}))`;
  return queryRows(
    tx,
    sql<TargetRow>`
    SELECT ${factsColumns}, x.traits, ${offered} AS offered FROM ${factsFrom} JOIN host x ON x.id = r.host_id WHERE ${condition} ORDER BY r.name LIMIT ${maxBulkHosts + 1}`,
  );
};

const offeredList = offeredStep.array().catch([]);

/** Why this host cannot; null if it can. */
function whyNot(row: TargetRow, { intent }: BulkPreviewInput, { steps, runbook }: BulkArgs): string | null {
  const reason = actionRefusal(intent, toIntentFacts(row), {
    on: row.maintenance,
    by: row.maintenance_by,
    touchUncovered: true,
  });
  if (reason !== null || steps === null) return reason;
  const locked = runbook === null ? null : traitRefusal(runbook, row.traits);
  if (locked !== null) return locked;
  const [fault] = manualFaults(steps, offeredList.parse(row.offered));
  return fault === undefined ? null : `step ${fault.index + 1}: ${fault.message}`;
}

type ReadyChange = NonNullable<BulkPreview["ready"]>[number];

/** What allocation loses. All hosts of a SKU and site are counted, whatever the target is. */
const readyChanges = (tx: Transaction, taken: readonly string[]): Promise<readonly ReadyChange[]> =>
  taken.length === 0
    ? Promise.resolve([])
    : queryRows(
        tx,
        sql<ReadyChange>`
        WITH lost AS (
          SELECT r.site_id, h.sku_id, count(*) AS hosts FROM host_run r JOIN host h ON h.id = r.host_id
          WHERE r.host_id = ANY(${[...taken]}::uuid[]) AND r.allocatable GROUP BY r.site_id, h.sku_id)
        SELECT s.name AS site, k.name AS sku, n.hosts::int AS now, (n.hosts - l.hosts)::int AS after
        FROM lost l JOIN site s ON s.id = l.site_id LEFT JOIN sku k ON k.id = l.sku_id,
          LATERAL (SELECT count(*) AS hosts FROM host_run r JOIN host h ON h.id = r.host_id
            WHERE r.allocatable AND r.site_id = l.site_id AND h.sku_id IS NOT DISTINCT FROM l.sku_id) n
        ORDER BY l.hosts DESC, s.name, k.name`,
      );

/** Hosts with the same reason share a line. Pure. */
function grouped(
  cannot: readonly { readonly name: string; readonly reason: string }[],
): readonly BulkReason[] {
  const byReason = new Map<string, string[]>();
  for (const { name, reason } of cannot)
    byReason.set(reason, [...(byReason.get(reason)?.slice(0, namesShown) ?? []), name]);
  const counts = new Map<string, number>();
  for (const { reason } of cannot) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, reasonsShown)
    .map(([reason, count]) => ({ reason, count, hosts: (byReason.get(reason) ?? []).slice(0, namesShown) }));
}

export const previewBulk = defineAct({
  ...bulk.preview,
  names: ({ intent }) => ({ kind: "act", id: intent }),
  find: (_, { intent }) =>
    Promise.resolve({
      id: intent,
      belongs: { tenantId: null },
      value: null,
      right: hostActions[intent].right,
    }),
  run: async ({ tx, actor, request }, _, input) => {
    const condition = await which(tx, input);
    if (!condition.ok) return condition;
    const checked = await checkedArgs(tx, input);
    if (!checked.ok) return checked;
    const { args, agentsOnly } = checked.value;
    const rows = await readTargets(tx, condition.value, agentsOnly);
    if (rows.length > maxBulkHosts)
      return refused("invalid", `That is more than ${maxBulkHosts} hosts; select fewer.`, "target");
    const lines = rows.map((row) => ({ row, reason: whyNot(row, input, args) }));
    const id = randomUUID();
    await tx.bulkAct.create({
      data: {
        id,
        intent: input.intent,
        args: { ...args, steps: args.steps?.map((step) => ({ ...step })) ?? null },
        filter: "filter" in input.target ? input.target.filter : null,
        total: rows.length,
        requestId: request.requestId,
        createdBy: actor.personId,
        createdByName: actor.name,
      },
    });
    const stored = JSON.stringify(
      lines.map(({ row, reason }) => ({
        host_id: row.host_id,
        name: row.name,
        state_version: String(row.state_version),
        status: reason === null ? "can" : "cannot",
        message: reason,
      })),
    );
    await execute(
      tx,
      sql`
      INSERT INTO bulk_act_host (bulk_id, host_id, name, state_version, status, message)
      SELECT ${id}::uuid, host_id, name, state_version, status, message FROM jsonb_to_recordset(${stored}::jsonb) AS x (host_id uuid, name text, state_version bigint, status text, message text)`,
    );
    const cannot = lines.flatMap(({ row, reason }) => (reason === null ? [] : [{ name: row.name, reason }]));
    const abandons =
      input.intent === "clean" || input.intent === "manage"
        ? lines.filter(
            ({ row, reason }) =>
              reason === null && row.reclamation_open && isFailed(toIntentFacts(row).state),
          ).length
        : 0;
    const able = lines.flatMap(({ row, reason }) => (reason === null ? [row.host_id] : []));
    const ready = await readyChanges(tx, leavesAllocation(input.intent) ? able : []);
    const erases = args.steps !== null && erasesAnything(args.steps);
    const value: BulkPreview = {
      id,
      intent: input.intent,
      total: rows.length,
      can: rows.length - cannot.length,
      cannot: cannot.length,
      reasons: grouped(cannot),
      erases,
      abandons,
      ready,
      isLarge: isLarge(input.intent, erases, ready),
    };
    // No host is changed, so nothing is logged.
    return unchanged(value);
  },
});
