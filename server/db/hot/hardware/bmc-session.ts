// The addresses of our Redfish sessions, stored with the host so that the next process can delete them: BMCs allow only a few.
import type { Pool } from "pg";
import { z } from "zod";
import { named } from "@/server/db/hot/pool";

const stored = z.object({ origin: z.string(), uri: z.string() });
export type BmcSession = z.infer<typeof stored>;

const read = named<{ bmc_session: unknown }, [string]>(
  "bmc_session_read",
  "SELECT bmc_session FROM host WHERE id = $1::uuid",
);
const write = named<Record<string, never>, [string, string | null]>(
  "bmc_session_write",
  "UPDATE host SET bmc_session = $2::jsonb WHERE id = $1::uuid",
);

/** Stores one session per host; never the token itself. */
export function sessionStore(pool: Pool) {
  return {
    load: async (hostId: string): Promise<BmcSession | null> => {
      const known = stored.safeParse((await read(pool, hostId))[0]?.bmc_session);
      return known.success ? known.data : null;
    },
    save: async (hostId: string, session: BmcSession): Promise<void> => {
      await write(pool, hostId, JSON.stringify(session));
    },
    delete: async (hostId: string): Promise<void> => {
      await write(pool, hostId, null);
    },
  };
}
