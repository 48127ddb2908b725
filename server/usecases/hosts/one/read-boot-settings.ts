// A host's boot settings as its BMC last reported them, and whether the BMC can send an NMI.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { knownBootSettings } from "@/server/domain/hosts/boot-settings";
import type { BootSettings } from "@/server/domain/hosts/boot-settings";

/** Null if not read yet, or not reported by the BMC. */
export async function readBootSettings(reader: SqlReader, hostId: string): Promise<BootSettings | null> {
  const [row] = await queryRows(
    reader,
    sql<{ readonly settings: unknown }>`
    SELECT context -> 'bootSettings' AS settings FROM host_run WHERE host_id = ${hostId}::uuid`,
  );
  return knownBootSettings(row?.settings);
}

/** For a host `h`: its BMC offers an NMI, or has not reported yet what it offers. */
export const offersNmi = sql<boolean>`
  coalesce(h.bmc_links -> 'resetTypes' ? 'Nmi' OR h.bmc_links -> 'resetTypes' = '[]', true)`;

/** The same, for one host by id. */
export async function readOffersNmi(reader: SqlReader, hostId: string): Promise<boolean> {
  const [row] = await queryRows(
    reader,
    sql<{
      readonly offered: boolean;
    }>`SELECT ${offersNmi} AS offered FROM host h WHERE h.id = ${hostId}::uuid`,
  );
  return row?.offered ?? true;
}
