// Installs the packages of the lock file if they are missing or have other versions.
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pinnedNode, root } from "../folders.mjs";
import { run } from "./command.mjs";

/** @typedef {{ packages: Record<string, { version?: string, optional?: boolean, link?: boolean }> }} Lock */

/**
 * npm writes a list of what it installed into `node_modules`, as its last step: a broken installation has no list.
 * @param {Lock} wanted content of package-lock.json
 * @param {Lock | undefined} installed content of node_modules/.package-lock.json
 */
export function isInstalled(wanted, installed) {
  if (installed === undefined) return false;
  return Object.entries(wanted.packages).every(
    ([path, { version, optional }]) =>
      path === "" || optional === true || installed.packages[path]?.version === version,
  );
}

export function needsInstall() {
  const wanted = readLock(join(root, "package-lock.json"));
  if (wanted === undefined) throw new Error("package-lock.json is missing");
  return (
    !isInstalled(wanted, readLock(join(root, "node_modules", ".package-lock.json"))) ||
    !existsSync(pinnedNode)
  );
}

/** @param {AbortSignal} [signal] */
export async function install(signal) {
  const npm = process.env["npm_execpath"]; // the npm that runs us, which may not be on the PATH
  const args = ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"]; // building needs dev packages, whatever NODE_ENV says
  const options = signal === undefined ? {} : { signal };
  if (npm !== undefined && basename(npm) === "npm-cli.js")
    await run(process.execPath, [npm, ...args], { name: "npm ci", ...options });
  else await run("npm", args, { name: "npm ci", ...options });
  if (!existsSync(pinnedNode)) {
    throw new Error(
      "npm has installed the packages but not run their scripts, which the package `node` needs: run `npm rebuild node` or allow install scripts",
    );
  }
}

/**
 * @param {string} file
 * @returns {Lock | undefined}
 */
function readLock(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}
