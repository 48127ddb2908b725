// Keeps log files from growing forever: beyond a size, the content moves to `<name>.1`, replacing what was there.
import { copyFileSync, readdirSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";

const limitBytes = 50 * 1024 * 1024;

/**
 * Copies and truncates, because the processes keep their files open; they append, so their next line is at the new start.
 * @param {string} folder
 * @param {number} [limit]
 */
export function rotateLogs(folder, limit = limitBytes) {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (!name.endsWith(".log") || statSync(file).size <= limit) continue;
    copyFileSync(file, `${file}.1`);
    truncateSync(file);
  }
}
