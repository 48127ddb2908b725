// Where Prisma finds schema, migrations and database. The engine is Prisma's own WebAssembly build (docs/contributing/dependencies.md#node-and-prismas-schema-engine).
import { fileURLToPath } from "node:url";
import { defineConfig } from "prisma/config";

if (process.platform !== "win32") {
  process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= fileURLToPath(
    new URL("./scripts/schema-engine.mjs", import.meta.url),
  );
}

export default defineConfig({
  schema: "prisma/schema",
  migrations: { path: "prisma/migrations" },
  // Left out when unset: `generate` and `diff` from the schema need no database.
  ...(process.env.DATABASE_URL === undefined ? {} : { datasource: { url: process.env.DATABASE_URL } }),
});
