// What a host that waits in Ready is compared in, for its page (docs/adr/0121-ready-lasts.md).
import { readyReading, watchOf } from "@/server/domain/hosts/ready-watch/reading";
import type { HostDetail } from "@/server/contract/hosts/hosts-answers";

interface Stored {
  readonly reclamationId: string;
  readonly reading: unknown;
  readonly readAt: Date | null;
  readonly failingSince: Date | null;
  readonly failure: string | null;
}

/** A row of an earlier reclamation says nothing about this one. */
export function readyWatchOf(
  stored: Stored | null,
  reclamationId: string | null,
): NonNullable<HostDetail["readyWatch"]> {
  const row = stored?.reclamationId === reclamationId ? stored : null;
  const reading = readyReading.safeParse(row?.reading).data;
  const { watched, notWatched } = reading === undefined ? { watched: [], notWatched: [] } : watchOf(reading);
  return {
    readAt: reading === undefined ? null : (row?.readAt ?? null),
    watched: [...watched],
    notWatched: [...notWatched],
    failing:
      row === null || row.failingSince === null
        ? null
        : { since: row.failingSince, why: row.failure ?? "no reason given" },
  };
}
