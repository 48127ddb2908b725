// What an act tells the rest of the system in its own transaction: the controller by a signal, the screens by a feed row.
import { feedChannel, signalHosts, wakeChannel } from "@/server/db/hot/signal";
import type { HostSignal } from "@/server/db/hot/signal";
import type { HotDatabase } from "@/server/db/hot/pool";
import type { Transaction } from "@/server/db/prisma";

/** Lets a hot statement run inside a Prisma transaction, or on its client. Values are texts there, so nothing is lost in between. */
export function hotWithin(tx: Pick<Transaction, "$queryRawUnsafe">): HotDatabase {
  return { query: async ({ text, values }) => ({ rows: await tx.$queryRawUnsafe(text, ...values) }) };
}

interface HostChanges {
  /** For the controller: stored, and their hosts made due (design: datapath.md, Signal). */
  readonly signals?: readonly HostSignal[];
  /** For the controller without a signal: what its handlers read from the row itself has changed. */
  readonly wake?: boolean;
  /** For the screens (design: datapath.md, Live). `tenantId`: whose people may hear of it. */
  readonly feed: readonly { readonly hostId: string; readonly tenantId: string | null; readonly what: string }[];
}

/** Says what an act changed. Notifications go out when the transaction commits; they only say that there is something to look at. */
export async function tellWithin(tx: Transaction, { signals = [], wake = false, feed }: HostChanges): Promise<void> {
  if (signals.length > 0) await signalHosts(hotWithin(tx), signals);
  const rows = JSON.stringify(feed.map(({ hostId, tenantId, what }) => ({ host_id: hostId, tenant_id: tenantId, what })));
  const channels = [feedChannel, ...(signals.length > 0 || wake ? [wakeChannel] : [])];
  await tx.$queryRaw`
    WITH stored AS (INSERT INTO feed (host_id, tenant_id, what) SELECT * FROM jsonb_to_recordset(${rows}::jsonb) AS g (host_id uuid, tenant_id uuid, what text))
    SELECT pg_notify(channel, '')::text FROM unnest(${channels}::text[]) AS channel`;
}
