// Where hosts' hardware is and how to sign in, read in one statement for all effects of a batch.
import type { Neighbour } from "@/server/domain/hosts/enrolment/neighbour";
import { bundlesOf } from "@/server/domain/sites/authorities";
import type { AuthorityBundles } from "@/server/domain/sites/authorities";
import { confirmedNames } from "@/server/db/hot/host/confirmed-names";
import { named } from "@/server/db/hot/pool";
import type { ConfirmedNames } from "@/server/domain/hosts/record/host";
import type { HotDatabase } from "@/server/db/hot/pool";
import { isAtItsAddress, isVerified } from "@/server/db/hot/hardware/neighbours";

interface StoredRow {
  readonly host_id: string;
  readonly hardware_type: string;
  readonly bmc_address: string | null;
  readonly bmc_username: string | null;
  readonly bmc_password: Buffer | null;
  /** The fingerprint that the BMC must show; null: nobody entered or confirmed one. */
  readonly bmc_certificate: string | null;
  readonly first_contact_accepted: boolean;
  readonly bmc_links: unknown;
  readonly power_state: string | null;
  /** The identity that the BMC must report before anything is changed; null until it was verified. */
  readonly serial: string | null;
  readonly system_uuid: string | null;
  /** The identity that was entered, and the path of its system behind the BMC. */
  readonly expected_serial: string | null;
  readonly expected_system_uuid: string | null;
  readonly system_path: string | null;
  readonly confirmed: ConfirmedNames;
  /** The other hosts at its address. `verified`: identified there; a host that was only entered may be anywhere. */
  readonly neighbours: readonly Neighbour[];
  readonly site_id: string;
  readonly network_url: string | null;
  readonly network_token: Buffer | null;
  readonly bmc_trust: string;
  /**
   * A person has its BMC restarted, which was sent and is not over, at this host or at another that the BMC serves. At most for 20 minutes: nobody ends
   * one that no server follows, as while the oldest server is of 0.2.0.
   */
  readonly bmc_restarts: boolean;
  /** Only on the first host of each site, because the text may be 100 kB. */
  readonly authorities: string | null;
}

export interface TargetRow extends Omit<StoredRow, "authorities"> {
  /** Null: the stored text cannot be read. */
  readonly authorities: AuthorityBundles | null;
}

const statement = named<StoredRow & Record<string, unknown>, [readonly string[]]>(
  "effect_targets",
  `
  SELECT h.id AS host_id, h.hardware_type, h.bmc_address, h.bmc_username, h.bmc_password, h.bmc_certificate, h.first_contact_accepted, h.bmc_links, h.power_state, h.serial, h.system_uuid::text, h.expected_serial, h.expected_system_uuid::text,
    ${confirmedNames("h.id")} AS confirmed, nullif(h.bmc_system, '') AS system_path, s.id AS site_id, s.network_url, s.network_token, s.bmc_trust,
    (SELECT coalesce(json_agg(json_build_object('name', o.name, 'username', o.bmc_username,
      'verified', ${isVerified}) ORDER BY o.name), '[]') FROM host o
      WHERE ${isAtItsAddress} AND o.id <> h.id) AS neighbours,
    EXISTS (SELECT 1 FROM bmc_reset b JOIN host o ON o.id = b.host_id WHERE b.ended_at IS NULL AND b.sent_at > now() - interval '20 minutes' AND ${isAtItsAddress}) AS bmc_restarts,
    CASE WHEN row_number() OVER (PARTITION BY s.id) = 1 THEN s.authorities::text END AS authorities
  FROM host h JOIN site s ON s.id = h.site_id WHERE h.id = ANY($1::uuid[])`,
);

/** More texts than sites usually change in a process's lifetime. Above it the cache is cleared. */
const maxKnown = 200;
/** By text, so that each is parsed once. */
const known = new Map<string, AuthorityBundles | null>();

function parsed(text: string): AuthorityBundles | null {
  const found = known.get(text);
  if (found !== undefined) return found;
  if (known.size >= maxKnown) known.clear();
  const bundles = bundlesOf(JSON.parse(text));
  known.set(text, bundles);
  return bundles;
}

/** The targets of hosts, by host id. Deleted hosts are absent. */
export async function effectTargets(
  database: HotDatabase,
  hostIds: readonly string[],
): Promise<ReadonlyMap<string, TargetRow>> {
  const rows = await statement(database, hostIds);
  const ofSite = new Map(
    rows.flatMap(({ site_id: id, authorities: text }) => (text === null ? [] : [[id, parsed(text)]])),
  );
  return new Map(rows.map((row) => [row.host_id, { ...row, authorities: ofSite.get(row.site_id) ?? null }]));
}
