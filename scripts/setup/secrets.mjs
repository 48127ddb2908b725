// The secrets of one running system: created once, kept in a file that only its owner can read.
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readState, writeState } from "../state-file.mjs";

/**
 * @typedef {object} Secrets
 * @property {string} nextAuthSecret signs sessions
 * @property {string} encryptionKey 32 bytes in base64, for stored credentials
 * @property {string} databasePassword of the embedded PostgreSQL
 * @property {string} bmcPassword of every simulated BMC
 * @property {string} networkToken between the simulated network controller and us
 * @property {string} controlToken for scripting faults in the simulated fleet
 */

/** @returns {Secrets} */
function newSecrets() {
  const token = () => randomBytes(24).toString("base64url");
  return {
    nextAuthSecret: randomBytes(32).toString("base64url"),
    encryptionKey: randomBytes(32).toString("base64"),
    databasePassword: token(),
    bmcPassword: token(),
    networkToken: token(),
    controlToken: token(),
  };
}

/**
 * @param {import("../folders.mjs").StateFiles} files
 * @returns {Secrets}
 * @throws if they are missing or damaged while a database exists that needs them: new ones could not decrypt it
 */
export function loadSecrets(files) {
  const stored = readState(files.secrets);
  if (stored === undefined) {
    if (existsSync(files.postgres) || existsSync(files.fleet)) {
      throw new Error(
        `${files.secrets} is missing, and without it the data of ${files.folder} cannot be read: put it back from a copy. For a new, empty system use another folder: --data DIR`,
      );
    }
    const secrets = newSecrets();
    writeState(files.secrets, secrets);
    return secrets;
  }
  for (const name of Object.keys(newSecrets())) {
    if (typeof Reflect.get(Object(stored), name) !== "string")
      throw new Error(`${files.secrets} has no ${name}: put the file back from a copy`);
  }
  return /** @type {Secrets} */ (stored);
}
