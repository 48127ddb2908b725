// Reads a part of the fleet: checks the right, resolves the scope, and shares one answer among everybody who looks at it within seconds.
import type { FleetFilter } from "@/server/domain/fleet/fleet-filter";
import type { Database } from "@/server/db/prisma";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { findScope } from "@/server/usecases/fleet/fleet-scope";
import type { FleetScope } from "@/server/usecases/fleet/fleet-scope";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";
import type { TimedCache } from "@/server/usecases/timed-cache";

interface PartRead<Answer> {
  readonly cacheOf: (database: Database) => TimedCache<Answer>;
  readonly read: (database: Database, scope: FleetScope) => Promise<Answer>;
}

/** A use case that returns what `read` finds, cached in `cacheOf`. */
export const partRead =
  <Answer>({ cacheOf, read }: PartRead<Answer>) =>
  async ({ database }: Backend, actor: Actor, filter: FleetFilter): Promise<Outcome<Answer>> => {
    const allowed = scopeOf(actor, "fleet.read");
    if (!allowed.ok) return allowed;
    const found = await findScope(database, filter);
    if (!found.ok) return found;
    const scope = found.value;
    return done(await cacheOf(database).get(scope.key, () => read(database, scope)));
  };
