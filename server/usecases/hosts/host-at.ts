// Whether a system of a BMC's service is already a host, as enrolled or as discovered (docs/adr/0069-several-hosts-at-one-bmc.md).
import { sql } from "kysely";
import type { RawBuilder } from "kysely";

interface Place {
  /** The host to exclude. */
  readonly hostId: string;
  readonly bmcAddress: string | null;
  /** Empty if it is the only one. */
  readonly bmcSystem: string;
}

/** The name of another host there, as an expression; null if there is none. */
export const hostAt = ({ hostId, bmcAddress, bmcSystem }: Place): RawBuilder<string | null> => sql<
  string | null
>`(SELECT h.name FROM host h WHERE h.bmc_address = ${bmcAddress}::text AND h.id <> ${hostId}::uuid
  AND ${bmcSystem}::text IN (h.bmc_system, rtrim(h.bmc_links ->> 'system', '/')) ORDER BY h.name LIMIT 1)`;
