// The accounts of a BMC by which Reclaim signs in: no baseline needs to name them, and none takes them over.
import { sql } from "kysely";
import { isAtItsAddress, isVerified } from "@/server/db/hot/hardware/neighbours";

/** Of `host h`, with those of the other hosts that were verified behind its BMC (docs/adr/0069-several-hosts-at-one-bmc.md). */
export const ownAccounts = sql<readonly string[]>`ARRAY(
  SELECT DISTINCT o.bmc_username FROM host o
  WHERE o.bmc_username IS NOT NULL AND (o.id = h.id OR ${sql.raw(`${isAtItsAddress} AND ${isVerified}`)}))`;
