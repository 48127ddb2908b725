// Checks a log against checkpoints kept from earlier: it must still begin with what each covers, and extend it.
import { signerOf } from "@/server/domain/audit-log/checkpoint";
import type { Checkpoint } from "@/server/domain/audit-log/checkpoint";
import { sameHash } from "@/server/domain/audit-log/merkle";
import type { Hash } from "@/server/domain/audit-log/merkle";
import type { VerifierKey } from "@/server/domain/audit-log/note";

/** The roots of the log at some size, by its events and by its tiles. */
export interface Roots {
  readonly byEntries: Hash;
  readonly byTiles: Hash;
}

/** What was read of the log. */
export interface ReadLog {
  readonly checkpoint: Checkpoint;
  /** Over all of it. */
  readonly roots: Roots;
  /** Null: not recorded at this size. */
  rootsAt(size: number): Roots | null;
}

/**
 * Why the log does not begin with what a kept checkpoint covers; null: it does.
 * @param keys the trusted keys; null: none were given
 */
export async function whyNotKept(
  { checkpoint, rootsAt }: ReadLog,
  kept: Checkpoint,
  keys: readonly VerifierKey[] | null,
): Promise<string | null> {
  const signer = keys === null ? null : await signerOf(kept, keys);
  if (kept.origin !== checkpoint.origin)
    return `is of another log: ${kept.origin}, and this is ${checkpoint.origin}`;
  if (signer?.ok === false) return signer.why;
  if (kept.size > checkpoint.size)
    return `covers ${kept.size} events, and the log has ${checkpoint.size}: it was cut, or an older one was restored`;
  const roots = rootsAt(kept.size);
  return roots !== null && (sameHash(kept.root, roots.byEntries) || sameHash(kept.root, roots.byTiles))
    ? null
    : `the first ${kept.size} events are not the ones that it covers: the log was rewritten`;
}

/** Whether the checkpoint and all kept ones follow from the events, or all from the tiles. A mix does not count: rewritten events do not extend old tiles. */
export function goesOnFrom({ checkpoint, roots, rootsAt }: ReadLog, kept: readonly Checkpoint[]): boolean {
  const places = [
    { root: checkpoint.root, at: roots },
    ...kept.map(({ root, size }) => ({ root, at: rootsAt(size) })),
  ];
  return (["byEntries", "byTiles"] as const).some((side) =>
    places.every(({ root, at }) => at !== null && sameHash(root, at[side])),
  );
}
