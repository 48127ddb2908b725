// The changes of hosts that one person may see, as they happen (docs/design/datapath.md#live-updates).
import { formatPosition } from "@/server/db/feed/live-feed";
import type { FeedRow, LiveFeed } from "@/server/db/feed/live-feed";
import type { Scope } from "@/server/usecases/read";

/** The feed that all streams of a process read from. */
export type ChangeFeed = LiveFeed;

/** Hosts that changed, and the place in the feed up to which all that is visible is told with them. */
export interface Changes {
  readonly position: string;
  readonly hostIds: readonly string[];
}

export interface FollowedChanges {
  /** Where the stream begins. */
  readonly position: string;
  /** The position that was asked for is too old or not valid: something may have been missed. */
  readonly reset: boolean;
  readonly stop: () => void;
}

/** Rows that somebody else's scope covers move the position, and are told nothing of. Null for no rows. */
export function visibleChanges(scope: Scope, rows: readonly FeedRow[]): Changes | null {
  const last = rows.at(-1);
  if (last === undefined) return null;
  const hostIds = rows.flatMap(({ hostId, tenantId }) =>
    hostId !== null && (scope.kind === "all" || tenantId === scope.tenantId) ? [hostId] : [],
  );
  return { position: formatPosition(last), hostIds };
}

/** @param after a position that was given out earlier; null: from now on. `listener` may be called before this returns. */
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
