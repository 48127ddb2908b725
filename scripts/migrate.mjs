// `npm run migrate`: brings the database of DATABASE_URL to the newest migration, and makes it if there is none. May be interrupted and run again.
import { migrate } from "./setup/migrate.mjs";

const url = process.env["DATABASE_URL"];
if (!url) {
  console.error("DATABASE_URL: is required: the database to migrate");
  process.exit(78);
}
try {
  const count = await migrate(url);
  console.log(count === 0 ? "The database has every migration." : `Applied ${count} migrations.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
