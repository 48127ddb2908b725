// The standing of hosts in SQL, as `hostStanding` (domain/assurance/standing.ts) computes it for one: rows, filters and metrics use the same.
import { fakeHardwareType } from "@/server/domain/hosts/fake/fake-type";

/** Of `host h`. Its newest reclamation is read by index. */
export const hostStandingSql = `CASE WHEN h.hardware_type = '${fakeHardwareType}' THEN 'notChecked' ELSE coalesce(
  (SELECT coalesce(e.standing, 'notProven') FROM reclamation e WHERE e.host_id = h.id ORDER BY e.started_at DESC, e.number DESC LIMIT 1), 'notChecked') END`;
