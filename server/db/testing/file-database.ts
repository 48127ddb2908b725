// One database for all tests of a file, with a pool like the data path's.
import { afterAll, beforeAll } from "vitest";
import type { Pool } from "pg";
import { createHotPool } from "@/server/db/hot/pool";
import { createTestDatabase } from "@/server/db/testing/test-database";

/** Call it once at the top of a test file. `prepare` runs once, before its tests; the pool and the database end after them. */
export function fileDatabase(max: number, prepare: (pool: Pool, url: string) => Promise<unknown>): void {
  let end: (() => Promise<void>) | null = null;
  beforeAll(async () => {
    const database = await createTestDatabase();
    const pool = createHotPool(database.url, { max });
    end = async () => {
      await pool.end();
      await database.drop();
    };
    await prepare(pool, database.url);
  });
  afterAll(() => end?.());
}
