// Firmware that a document must not change: a rollout is about to (docs/adr/0148-firmware-rollouts.md).
import type { Transaction } from "@/server/db/prisma";
import type { SiteDocument } from "@/server/domain/sites/document";
import type { DocumentFault, FaultAt } from "@/server/domain/sites/parse-document";
import { changesFirmware, heldText, skusInRollout } from "@/server/usecases/hosts/rollouts/open-rollouts";

/** @param given the document as it was written, for the places of its faults */
export async function rolloutFaults(
  tx: Transaction,
  before: SiteDocument,
  after: SiteDocument,
  { given, faultAt }: { readonly given: SiteDocument; readonly faultAt: FaultAt },
): Promise<readonly DocumentFault[]> {
  const known = new Map(before.skus?.map(({ name, components }) => [name, components]));
  const changed = (after.skus ?? []).filter(({ name, components }) =>
    changesFirmware(known.get(name) ?? null, components),
  );
  const held = await skusInRollout(
    tx,
    changed.map(({ name }) => name),
  );
  return [...held].map((name) => {
    const index = given.skus?.findIndex((sku) => sku.name === name) ?? -1;
    return faultAt(["skus", index, "components", "baseline", "firmware"], heldText(name));
  });
}
