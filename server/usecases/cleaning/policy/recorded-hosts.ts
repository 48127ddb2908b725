// The hosts that a site's records are about.
import { sql } from "kysely";

/** Hosts of the site, including gone ones with what is kept of them: their reclamations happened all the same. */
export const recordedHosts = (siteId: string) => sql`(
  SELECT o.id, o.name, o.hardware_type, o.power_domain FROM host o WHERE o.site_id = ${siteId}::uuid
  UNION ALL SELECT g.host_id, g.name, g.hardware_type, NULL
  FROM site s JOIN gone_host g ON g.site = s.name WHERE s.id = ${siteId}::uuid)`;
