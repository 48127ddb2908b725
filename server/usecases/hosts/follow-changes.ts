// The changes of hosts that one person may see, as they happen (docs/design/datapath.md#live-updates).
import { formatPosition } from "@/server/db/feed/live-feed";
import type { FeedRow, LiveFeed } from "@/server/db/feed/live-feed";
import type { Scope } from "@/server/usecases/read";

/** The feed that all streams of a process read from. */
export type ChangeFeed = LiveFeed;

/** Changed hosts, and the position in the feed up to which all visible changes are included. */
export interface Changes {
  readonly position: string;
  readonly hostIds: readonly string[];
}

export interface FollowedChanges {
  /** Where the stream starts. */
  readonly position: string;
  /** The requested position is too old or not valid, so changes may have been missed. */
  readonly reset: boolean;
  readonly stop: () => void;
}

/** Rows outside the scope advance the position without being disclosed. Null for no rows. */
export function visibleChanges(scope: Scope, rows: readonly FeedRow[]): Changes | null {
  const last = rows.at(-1);
  if (last === undefined) return null;
  const hostIds = rows.flatMap(({ hostId, tenantId }) =>
    hostId !== null && (scope.kind === "all" || tenantId === scope.tenantId) ? [hostId] : [],
  );
  return { position: formatPosition(last), hostIds };
}

/** @param after a position returned earlier; null for the current one. `listener` may be called before this returns. */
export async function followChanges(
  feed: ChangeFeed,
  scope: Scope,
  after: string | null,
  listener: (changes: Changes) => void,
): Promise<FollowedChanges> {
  const { position, reset, stop } = await feed.follow(
    after,
    (rows) => {
      const changes = visibleChanges(scope, rows);
      if (changes !== null) listener(changes);
    },
    scope.kind === "tenant" ? scope.tenantId : null,
  );
  return { position: formatPosition(position), reset, stop };
}
