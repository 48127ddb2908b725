// What an act tells the rest of the system in its own transaction: the controller by a signal, the screens by a feed row.
import { hotWithin } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import type { AuditEvent } from "@/server/db/audit";
import { feedChannel, tellHosts, wakeChannel } from "@/server/db/hot/signal";
import type { FeedRow, HostSignal } from "@/server/db/hot/signal";

export interface HostChanges {
  /** For the controller: stored, and their hosts made due (docs/design/datapath.md#signal). */
  readonly signals?: readonly HostSignal[];
  /** For the controller without a signal: what its handlers read from the row itself has changed. */
  readonly wake?: boolean;
  /** For the screens (docs/design/datapath.md#live-updates). */
  readonly feed: readonly FeedRow[];
}

/** Says what an act changed, and logs it, in one statement. Notifications go out when the transaction commits; they only say that there is something to look at. */
export async function tellWithin(
  tx: SqlReader,
  { signals = [], wake = false, feed }: HostChanges,
  events: readonly AuditEvent[] = [],
): Promise<void> {
  const channels = [feedChannel, ...(signals.length > 0 || wake ? [wakeChannel] : [])];
  await tellHosts(hotWithin(tx), { signals, feed, channels, events });
}
