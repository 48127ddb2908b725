// Small JSON files that are written atomically and readable by their owner only.
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

/**
 * @param {string} file
 * @returns {unknown} undefined if there is no such file
 * @throws if the file is not JSON
 */
export function readState(file) {
  let text;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(
      `${file} is not JSON: put back its content from a copy. For a new system use another folder: --data DIR`,
    );
  }
}

/**
 * @param {string} file
 * @param {unknown} content
 */
export function writeState(file, content) {
  const temporary = `${file}.${process.pid}.new`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: "wx", flush: true });
  renameSync(temporary, file);
}
