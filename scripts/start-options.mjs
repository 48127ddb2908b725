// The options of `npm start`.
import { parseArgs } from "node:util";

/** A usage error in the command line, reported without a stack trace; exit code 2. */
export class UsageError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = "UsageError";
  }
}

/**
 * @typedef {object} Options
 * @property {number} port
 * @property {number | undefined} hosts undefined: as many as the data has
 * @property {number | undefined} seed
 * @property {number} speed
 * @property {boolean} empty
 * @property {boolean} newLogins
 * @property {boolean} living
 * @property {string | undefined} data
 * @property {boolean} help
 */

export const usage = `npm start -- [options]

  --port P    port of the console and the APIs (3000, or PORT)
  --hosts N   simulated hosts (200); later starts may give more
  --speed S   how many times faster than real hardware the simulated fleet works (60)
  --seed X    which simulated fleet: the same number gives the same one (1)
  --empty     no simulated fleet; a database with people and sites of its own is served as it is
  --living on|off  whether the living demo begins switched on (on); the console switches it, too
  --data DIR  folder for database, secrets and logs (.reclaim)
  --new-logins  demo people whose login is not in demo-logins.json get a new password and token
  --help      this text

DATABASE_URL: use this PostgreSQL (15 or later) and not the embedded one.`;

export const defaultSpeed = 60;

/**
 * @param {string[]} args
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {Options}
 * @throws UsageError
 */
export function parseOptions(args, env) {
  const {
    hosts,
    seed,
    speed,
    port,
    empty = false,
    "new-logins": newLogins = false,
    living = "on",
    data,
    help = false,
  } = read(args);
  if (empty && (hosts ?? seed ?? speed) !== undefined)
    throw new UsageError("--empty means no simulated fleet: leave out --hosts, --seed and --speed");
  if (living !== "on" && living !== "off") throw new UsageError(`--living is on or off, not "${living}"`);
  if (data?.trim() === "") throw new UsageError("--data needs the name of a folder");
  return {
    port:
      port === undefined
        ? (whole("PORT", env["PORT"] || undefined, 1, 65_535) ?? 3000)
        : (whole("--port", port, 1, 65_535) ?? 3000),
    hosts: whole("--hosts", hosts, 1, 100_000),
    seed: whole("--seed", seed, 0, 4_294_967_295),
    speed: whole("--speed", speed, 1, 100_000) ?? defaultSpeed,
    empty,
    newLogins,
    living: living === "on",
    data,
    help,
  };
}

/** @param {string[]} args */
function read(args) {
  const text = /** @type {const} */ ({ type: "string" });
  const flag = /** @type {const} */ ({ type: "boolean" });
  try {
    return parseArgs({
      args,
      allowPositionals: false,
      options: {
        hosts: text,
        seed: text,
        speed: text,
        port: text,
        data: text,
        living: text,
        empty: flag,
        "new-logins": flag,
        help: flag,
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/**
 * The numeric value of an option; undefined if it was not given.
 * @param {string} name
 * @param {string | undefined} value
 * @param {number} min
 * @param {number} max
 */
export function whole(name, value, min, max) {
  if (value === undefined) return undefined;
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= min && number <= max))
    throw new UsageError(`${name} must be a whole number from ${min} to ${max}, not "${value}"`);
  return number;
}
