// What changed in the parts of a host since it was last verified, as the controller compares it.
import { storedInventory } from "@/server/domain/hosts/inventory/inventory";
import { changesDigest, knownParts, partChanges } from "@/server/domain/hosts/parts/changes";
import type { PartChange } from "@/server/domain/hosts/parts/changes";
import type { Transaction } from "@/server/db/prisma";

type Reader = Pick<Transaction, "hostInventory" | "hostParts">;

export interface PartChanges {
  readonly knownAt: Date | null;
  readonly changes: readonly PartChange[];
  readonly evidence: string;
}

/** Nothing has changed before an agent reported or before the host was verified. */
export async function readPartChanges(reader: Reader, hostId: string): Promise<PartChanges> {
  const [agent, row] = await Promise.all([
    reader.hostInventory.findUnique({ where: { hostId_source: { hostId, source: "agent" } } }),
    reader.hostParts.findUnique({ where: { hostId } }),
  ]);
  const inventory = storedInventory.safeParse(agent?.body);
  const known = knownParts.safeParse(row?.known).data ?? null;
  const changes = inventory.success ? partChanges(known, inventory.data.parts) : [];
  return { knownAt: row?.at ?? null, changes, evidence: changesDigest(hostId, changes) };
}
