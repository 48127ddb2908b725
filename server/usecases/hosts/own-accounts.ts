// The BMC accounts that Reclaim signs in with: baselines need not name them, and none includes them when it is captured.
import { sql } from "kysely";
import { isAtItsAddress, isVerified } from "@/server/db/hot/hardware/neighbours";

/** For `host h`, including those of other hosts that were verified behind the same BMC (docs/adr/0069-several-hosts-at-one-bmc.md). */
export const ownAccounts = sql<readonly string[]>`ARRAY(
  SELECT DISTINCT o.bmc_username FROM host o
  WHERE o.bmc_username IS NOT NULL AND (o.id = h.id OR ${sql.raw(`${isAtItsAddress} AND ${isVerified}`)}))`;
