// Waits until its standard input closes, which happens however its parent ends; then stops the test database and removes it.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { stop } from "./cluster.mjs";

const folder = process.argv[2];
if (folder === undefined) throw new Error("guard.mjs needs the folder of a test database");

process.stdin.resume();
process.stdin.once("close", async () => {
  await stop({ dataDir: join(folder, "data") });
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});
