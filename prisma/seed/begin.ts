// The first part of the seed: may this database be seeded at all, and its people and site, in one transaction with the marker that says whose they are.
import type { SeedConfig } from "@/server/config";
import { claimKey, markDemo, readContent } from "@/server/db/database-state";
import type { Ask } from "@/server/db/database-state";
import type { Database } from "@/server/db/prisma";
import type { SecretBox } from "@/server/db/secrets/secret-box";
import { seedingOf } from "@/server/domain/database/seeding";
import { prepareLogins, seedGrants, seedPeople, writeLogins } from "@/prisma/seed/people";
import type { DemoTenant } from "@/prisma/seed/people";
import { seedSite } from "@/prisma/seed/site";

/** What this database holds is not the demo's to add to. The message says what to do. */
export class NotSeededError extends Error {
  override readonly name = "NotSeededError";
}

interface Begun {
  readonly tenants: readonly DemoTenant[];
  readonly siteId: string;
  /** Emails of people whose login nobody but they can tell. */
  readonly lost: readonly string[];
}

/** Any number that no other advisory lock of ours has: one start at a time decides and seeds. */
const lockKey = 7_237_144;

/** Statements of a Prisma client or transaction. */
const askOf =
  (client: Pick<Database, "$queryRawUnsafe">): Ask =>
  (text, ...values) =>
    client.$queryRawUnsafe<unknown[]>(text, ...values);

/**
 * Makes people and site in an empty database, or completes what an earlier start has made. Null: the database has its own, and nothing is seeded.
 * Throws NotSeededError, and WrongKeyError.
 */
export async function begin(
  database: Database,
  secrets: SecretBox,
  config: SeedConfig,
): Promise<Begun | null> {
  const { simulator } = config;
  const logins = await prepareLogins(database, config.demoLoginsFile, config.newLogins);
  return database.$transaction(
    async (tx) => {
      const ask = askOf(tx);
      await ask("SELECT pg_advisory_xact_lock($1::bigint)::text", lockKey);
      const seeding = seedingOf(await readContent(ask, simulator?.networkToken), simulator !== undefined);
      // safety: start: the seed asks again in its own transaction
      if (seeding.kind === "refuse") throw new NotSeededError(seeding.message);
      if (seeding.kind === "leave") return null;
      await claimKey(ask, config.encryptionKey);
      await markDemo(ask, seeding.marker);
      const tenants = await seedPeople(tx, logins);
      const fleet = simulator === undefined ? undefined : { ...simulator, baselines: config.baselines };
      const siteId = await seedSite(tx, secrets, fleet);
      await seedGrants(tx, siteId, tenants);
      // Before the commit: a password that is in no file can be told to nobody.
      if (logins.made.length > 0) writeLogins(config.demoLoginsFile, logins.entries);
      return { tenants, siteId, lost: logins.lost };
    },
    { maxWait: 30_000, timeout: 60_000 },
  );
}
