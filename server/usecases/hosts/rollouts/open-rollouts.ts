// SKUs whose firmware nobody else changes, because a rollout is about to (docs/adr/0148-firmware-rollouts.md).
import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import type { SkuComponents } from "@/server/domain/hosts/inventory/sku";
import type { SqlReader } from "@/server/db/sql";
import { readRollouts, rolloutState } from "@/server/usecases/hosts/rollouts/rollout-rows";

/** Those of the named SKUs of which a rollout is in progress or waits for its approval. Until the transaction ends, no rollout of them ends. */
export async function skusInRollout(tx: SqlReader, names: readonly string[]): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set();
  const open = await readRollouts(tx, sql`u.name = ANY(${[...names]}) AND x.ended_at IS NULL`, {
    ...{ locked: true, most: null },
  });
  return new Set(open.filter((row) => rolloutState(row) !== "rejected").map(({ sku }) => sku));
}

/** @param before null: there is no such SKU yet, or it cannot be read */
export const changesFirmware = (before: SkuComponents | null, after: SkuComponents): boolean =>
  !isDeepStrictEqual(before?.baseline?.firmware ?? [], after.baseline?.firmware ?? []);

/** Why the firmware of a SKU in `skusInRollout` cannot be changed. Pure. */
export const heldText = (sku: string): string =>
  `a firmware rollout of ${sku} is in progress or waits for its approval. Finish or abort it before you change the firmware of the SKU`;
