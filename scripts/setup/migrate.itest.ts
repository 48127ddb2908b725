// The migrations make the database that the Prisma schema describes, in one go or a second time, and say so when they cannot.
import { join } from "node:path";
import { inject, describe, expect, it } from "vitest";
import { pinnedNode, root } from "@/scripts/folders.mjs";
import { dropDatabase } from "@/scripts/testing/drop-database.mjs";
import { onServer } from "@/server/db/testing/template";
import { CommandFailed, run } from "./command.mjs";
import { migrate, migrations } from "./migrate.mjs";

/** What `prisma migrate diff` says the schema has and the migrations do not, or the other way round. */
async function differences(): Promise<string[]> {
  const args = ["migrate", "diff", "--from-migrations", "prisma/migrations", "--to-schema", "prisma/schema", "--exit-code"];
  const env = { DATABASE_URL: inject("testServerUrl"), CHECKPOINT_DISABLE: "1", PRISMA_HIDE_UPDATE_MESSAGE: "1" };
  const output = await run(pinnedNode, [join(root, "node_modules", "prisma", "build", "index.js"), ...args], { env }).catch((error: unknown) => {
    if (error instanceof CommandFailed) return error.output;
    throw error;
  });
  return output.split("\n").map((line) => line.trim()).filter((line) => /^\[[-+*]\]/.test(line) || /error/i.test(line));
}

describe("migrate", () => {
  it("makes what the schema describes, but for indexes that Prisma has no words for", async () => {
    const all = await differences();
    expect(all).toContainEqual(expect.stringMatching(/Removed index/)); // a Prisma whose engine has died says nothing, with code 0
    const rest = all.filter((line) => !/^\[\*\] Changed the `\w+` table$|^\[-\] Removed (unique )?index on/.test(line));
    expect(rest).toEqual([]);
  });

  it("makes the database, applies everything, and finds nothing to do the second time", async () => {
    const url = onServer(inject("testServerUrl"), `${inject("testPrefix")}migrate`);
    expect(await migrate(url)).toBe(migrations().length);
    expect(await migrate(url)).toBe(0);
    await dropDatabase(url);
  });

  it("says which database cannot be used, and not with which password", async () => {
    await expect(migrate("postgresql://someone:hunter2@127.0.0.1:1/nothing")).rejects.toThrow(/^the database at 127\.0\.0\.1:1\/nothing cannot be used: (?!.*hunter2)/);
  });
});
