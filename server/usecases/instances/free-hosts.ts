// Which hosts can be claimed now: the one rule, for claims and for what a tenant is offered (docs/design/lifecycle.md#allocation).
import { sql } from "kysely";

/** Of `host_run r`. Ends its own line, because of the comments in it. */
export const isFree = sql`r.state = 'Ready'
        AND r.allocatable -- safety: claim: an allocatable host
        AND database_is_current() -- safety: restore: no host is claimed before the database was looked at
        AND NOT EXISTS (SELECT 1 FROM instance held WHERE held.host_id = r.host_id AND held.ended_at IS NULL)
`;
