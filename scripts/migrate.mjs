// `npm run migrate`: brings the database of DATABASE_URL to the newest migration, and creates it if it does not exist. Safe to interrupt and rerun.
// With RECLAIM_OWNER_DATABASE_URL it migrates as that role, and sets up the roles of the other URLs (docs/operations.md#database-roles).
import { givenDatabases, migrateWithRoles } from "./setup/roles.mjs";

const url = process.env["DATABASE_URL"];
if (!url) {
  console.error("DATABASE_URL: is required: the database to migrate");
  process.exit(78);
}
try {
  const databases = givenDatabases(url, process.env);
  const count = await migrateWithRoles(databases);
  console.log(count === 0 ? "The database has every migration." : `Applied ${count} migrations.`);
  if (databases.sequencer !== undefined)
    console.log("The roles of the server and of the sequencer have the rights that they need.");
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
