// Writes one SKU with its priorities, and returns what changed. Called by the acts, which hold the locks.
import { formatChange, memberChanges } from "@/server/domain/sites/difference";
import type { SkuEntry } from "@/server/domain/sites/document";
import type { ActContext, Acted } from "@/server/usecases/define-act";
import { readOverrides } from "@/server/usecases/cleaning/overrides/override-levels";
import { changesFirmware, heldText, skusInRollout } from "@/server/usecases/hosts/rollouts/open-rollouts";
import { refused, sentence } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { changedPriorities, priorityFaults } from "@/server/usecases/sites/priorities";
import { writePriorities } from "@/server/usecases/sites/write-site";
import type { SkuRecord } from "@/server/usecases/hosts/skus/sku-record";
import { wakeWaitingForSku } from "@/server/usecases/hosts/skus/wake-waiting";
import { acted, unchanged } from "@/server/usecases/define-act";

export interface NamedSku {
  readonly id: string;
  readonly name: string;
}

/** More lines would be too long for an audit event. */
const maxLogged = 50;

const wakes: NonNullable<Acted<unknown>["tell"]> = { wake: true, feed: [] };

/** What the audit log and the SKU's history record of a change. Pure. */
function logged(before: SkuEntry | null, after: SkuEntry, reason: string) {
  const changes = memberChanges(before ?? {}, after).map(formatChange);
  return {
    name: after.name,
    reason,
    changes:
      changes.length <= maxLogged
        ? changes
        : [...changes.slice(0, maxLogged), `and ${changes.length - maxLogged} more`],
  };
}

/** @param before null for a new SKU */
export async function writeSku(
  { tx, actor }: ActContext,
  before: SkuRecord | null,
  after: SkuEntry,
  reason: string,
): Promise<Outcome<Acted<NamedSku>>> {
  const { name, components } = after;
  const other = await tx.sku.findUnique({ where: { name }, select: { id: true } });
  if (other !== null && other.id !== before?.id)
    return refused("conflict", `A SKU ${name} already exists.`, "name");
  if (before !== null && before.entry !== null && memberChanges(before.entry, after).length === 0)
    return unchanged({ id: before.id, name });
  if (
    before !== null &&
    changesFirmware(before.entry?.components ?? null, components) &&
    (await skusInRollout(tx, [before.name])).size > 0
  )
    return refused("notAllowedNow", sentence(heldText(before.name)));
  const { id } =
    before === null
      ? await tx.sku.create({ data: { name, components }, select: { id: true } })
      : await tx.sku.update({ where: { id: before.id }, data: { name, components }, select: { id: true } });
  const had = before?.priorities ?? {};
  await writePriorities({ tx, actor }, "sku", id, had, after.priorities);
  const scope = { scope: "sku", scopeId: id } as const;
  const [fault] = await priorityFaults(
    tx,
    scope,
    changedPriorities(had, after.priorities),
    await readOverrides(tx, scope),
  );
  if (fault !== undefined) return refused("invalid", fault.message, "priorities");
  await wakeWaitingForSku(tx);
  return acted({
    value: { id, name },
    targetId: id,
    tenantId: null,
    before: before === null ? null : { name: before.name },
    after: logged(before?.entry ?? null, after, reason),
    tell: wakes,
  });
}
