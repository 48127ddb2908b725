// Names of tenants by id: there are few, and every page needs them.
import type { Database } from "@/server/db/prisma";
import { perDatabase } from "@/server/usecases/timed-cache";

const cacheOf = perDatabase<ReadonlyMap<string, string>>("tenantNames", { ttlMs: 2_000, max: 1 });

export function tenantNames(database: Database): Promise<ReadonlyMap<string, string>> {
  return cacheOf(database).get(
    "all",
    async () =>
      new Map(
        (await database.tenant.findMany({ select: { id: true, name: true } })).map(({ id, name }) => [
          id,
          name,
        ]),
      ),
  );
}
