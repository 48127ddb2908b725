// Parts of a host compared with those that it had when it was last verified (docs/parts.md#compared-with-what-the-host-had).
import { isDeepStrictEqual } from "node:util";
import type { HardwareInventory } from "@/server/domain/hosts/inventory/inventory";
import { changesDigest, changesText, knownOf, partChanges } from "@/server/domain/hosts/parts/changes";
import type { PartChange } from "@/server/domain/hosts/parts/changes";
import type { Draft } from "@/server/controller/host/draft";

export interface ComparedParts {
  /** Changes that nobody has accepted. */
  readonly open: readonly PartChange[];
  /** The signed disposition that covers exactly these changes; null: nothing changed, or nobody accepted it. */
  readonly dispositionId: string | null;
  /** Changes that were accepted. */
  readonly accepted: readonly PartChange[];
}

export const noPartChanges: ComparedParts = { open: [], dispositionId: null, accepted: [] };

/** Null if the claim did not read what the host had. */
export function comparedParts(draft: Draft, { parts }: HardwareInventory): ComparedParts | null {
  const had = draft.view.parts;
  if (had === null) return null;
  const changes = partChanges(had.known, parts);
  const digest = changesDigest(draft.view.run.hostId, changes);
  const disposition = had.accepted.find(({ evidence }) => evidence === digest);
  // safety: parts: a change that nobody signed
  if (changes.length > 0 && disposition === undefined) return { ...noPartChanges, open: changes };
  return changes.length === 0
    ? noPartChanges
    : { open: [], dispositionId: disposition?.id ?? null, accepted: changes };
}

/** What a person reads, with what to do. */
export const openText = (open: readonly PartChange[]): string =>
  `parts changed: ${changesText(open)}. Put back what belongs there and read the inventory again, or record the change under Parts (reclaim parts accept)`;

/** From now on the host has these parts. An agent that reports none leaves what is known as it is. */
export function keepParts(
  draft: Draft,
  { parts }: HardwareInventory,
  { dispositionId }: ComparedParts,
): void {
  if (parts === undefined && dispositionId === null) return;
  const known = knownOf(parts ?? { told: [], untold: [], found: [] });
  if (isDeepStrictEqual(known, draft.view.parts?.known)) return;
  draft.hardware.keepParts({ known, dispositionId });
}
