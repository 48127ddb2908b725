// Where the hardware of some hosts is, and how to sign in: read in one statement for all effects of a batch.
import { named } from "@/server/db/hot/pool";
import type { HotDatabase } from "@/server/db/hot/pool";

export interface TargetRow {
  readonly host_id: string;
  readonly hardware_type: string;
  readonly bmc_address: string | null;
  readonly bmc_username: string | null;
  readonly bmc_password: Buffer | null;
  /** The fingerprint that it must show; null: nobody gave or confirmed one. */
  readonly bmc_certificate: string | null;
  readonly first_contact_accepted: boolean;
  readonly bmc_links: unknown;
  readonly power_state: string | null;
  /** What the BMC must say that it is before anything is changed; null until it was verified. */
  readonly serial: string | null;
  readonly system_uuid: string | null;
  readonly site_id: string;
  readonly network_url: string | null;
  readonly network_token: Buffer | null;
}

const statement = named<TargetRow & Record<string, unknown>, [readonly string[]]>(
  "effect_targets",
  `
  SELECT h.id AS host_id, h.hardware_type, h.bmc_address, h.bmc_username, h.bmc_password, h.bmc_certificate, h.first_contact_accepted, h.bmc_links, h.power_state, h.serial, h.system_uuid::text, s.id AS site_id, s.network_url, s.network_token
  FROM host h JOIN site s ON s.id = h.site_id WHERE h.id = ANY($1::uuid[])`,
);

/** The targets of some hosts, by host id. A deleted host is absent. */
export async function effectTargets(
  database: HotDatabase,
  hostIds: readonly string[],
): Promise<ReadonlyMap<string, TargetRow>> {
  return new Map((await statement(database, hostIds)).map((row) => [row.host_id, row]));
}
