// What a BMC said last of how its host starts, and whether it can interrupt it.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { knownBootSettings } from "@/server/domain/hosts/boot-settings";
import type { BootSettings } from "@/server/domain/hosts/boot-settings";

/** Null where it was not read yet, or the BMC does not say. */
export async function readBootSettings(reader: SqlReader, hostId: string): Promise<BootSettings | null> {
  const [row] = await queryRows(
    reader,
    sql<{ readonly settings: unknown }>`
    SELECT context -> 'bootSettings' AS settings FROM host_run WHERE host_id = ${hostId}::uuid`,
  );
  return knownBootSettings(row?.settings);
}

/** Of a host `h`: its BMC takes an NMI, or did not say yet what it takes. */
export const offersNmi = sql<boolean>`
  coalesce(h.bmc_links -> 'resetTypes' ? 'Nmi' OR h.bmc_links -> 'resetTypes' = '[]', true)`;

/** The same of one host. */
export async function readOffersNmi(reader: SqlReader, hostId: string): Promise<boolean> {
  const [row] = await queryRows(
    reader,
    sql<{
      readonly offered: boolean;
    }>`SELECT ${offersNmi} AS offered FROM host h WHERE h.id = ${hostId}::uuid`,
  );
  return row?.offered ?? true;
}
