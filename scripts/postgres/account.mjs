// The account that PostgreSQL runs as: it refuses to run as root, so for root we choose another account, which must be able to reach its files.
import { readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * @typedef {{ name: string, uid: number, gid: number }} Account
 */

/** No account is created for this: `postgres` if a package has created it, otherwise a system account. */
const candidates = ["postgres", "nobody", "daemon"];

/**
 * @param {string} [passwd] content of /etc/passwd
 * @returns {Account | undefined} undefined if we are not root and stay who we are
 * @throws if root finds no account to use
 */
export function databaseAccount(passwd) {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = parseAccounts(passwd ?? readFileSync("/etc/passwd", "utf8"));
  for (const name of candidates) {
    const account = accounts.find((each) => each.name === name && each.uid !== 0);
    if (account !== undefined) return account;
  }
  throw new Error(
    `PostgreSQL does not run as root, and none of the accounts ${candidates.join(", ")} exists: start as another user, or set DATABASE_URL`,
  );
}

/**
 * @param {string} passwd
 * @returns {Account[]}
 */
export function parseAccounts(passwd) {
  return passwd.split("\n").flatMap((line) => {
    const [name, , uid, gid] = line.split(":");
    return name === undefined || uid === undefined || gid === undefined
      ? []
      : [{ name, uid: Number(uid), gid: Number(gid) }];
  });
}

/**
 * Whether an account may pass through a folder and all folders above it.
 * @param {string} folder
 * @param {Account | undefined} account undefined: ourselves, who obviously can
 */
export function canReach(folder, account) {
  if (account === undefined) return true;
  for (let current = folder; ; current = dirname(current)) {
    const { mode, uid, gid } = statSync(current);
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (dirname(current) === current) return true;
  }
}
