// Which hosts can be claimed now: a single rule for claims and for what a tenant is offered (docs/design/lifecycle.md#allocation).
import { sql } from "kysely";

/** Nobody gets a host whose exception has expired, even if no controller has taken it out of allocation yet. Condition on `host_run r`. */
const isUnexcepted = sql`(r.context ->> 'exceptedUntil' IS NULL OR (r.context ->> 'exceptedUntil')::timestamptz > clock_timestamp())`;

/**
 * Clean, and kept out by what a repair is to fix (docs/repair.md#the-repair-tenant). Condition on `host_run r` and `host h`. After a database restore, every
 * host owes a sanitization, whatever its state in the backup. Ends with a newline, because it contains SQL comments.
 */
export const isForRepair = sql`database_is_current()
        AND r.state IN ('Ready', 'ReturnToAllocation/AwaitingRepair') -- safety: claim: no failed host for repair
        AND NOT r.maintenance AND NOT r.touched -- safety: claim: no host that somebody works on
        AND NOT h.retired -- safety: claim: no retired host for repair
        AND NOT EXISTS (SELECT 1 FROM debt d WHERE d.chassis_serial = h.serial AND d.cleared_at IS NULL) -- safety: claim: no host that owes for repair
        AND NOT EXISTS (SELECT 1 FROM signal g WHERE g.host_id = r.host_id AND g.kind = 'databaseRestored') -- safety: claim: no host of a restored database for repair
        AND ${isUnexcepted} -- safety: claim: no host past its exception for repair
        AND r.health @> '{"repair": true}' -- safety: claim: only what a repair can mend
        AND NOT EXISTS (SELECT 1 FROM instance held WHERE held.host_id = r.host_id AND held.ended_at IS NULL)
`;

/** Condition on `host_run r`. Ends with a newline, because it contains SQL comments. */
export const isFree = sql`r.state = 'Ready'
        AND r.allocatable -- safety: claim: an allocatable host
        AND ${isUnexcepted} -- safety: claim: no host past its exception
        AND database_is_current() -- safety: restore: no host is claimed before the database was looked at
        AND NOT EXISTS (SELECT 1 FROM instance held WHERE held.host_id = r.host_id AND held.ended_at IS NULL)
`;
