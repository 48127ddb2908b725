// The environment of each process of a running system: nothing that it does not need, and the user's own settings take precedence.

import { createHash } from "node:crypto";
import { join } from "node:path";
import { root } from "./folders.mjs";

/**
 * @param {object} system
 * @param {Readonly<Record<string, string | undefined>>} system.env ours
 * @param {import("./setup/roles.mjs").Databases} system.databases
 * @param {string} system.url
 * @param {Pick<import("./start-options.mjs").Options, "port" | "speed"> & { newLogins?: boolean }} system.options
 * @param {import("./setup/secrets.mjs").Secrets} system.secrets
 * @param {import("./setup/fleet.mjs").Fleet | undefined} system.fleet
 * @param {Pick<import("./folders.mjs").StateFiles, "demoLogins" | "simulator" | "highWater" | "image">} system.files
 */
export function childEnvironments({ env, databases, url, options, secrets, fleet, files }) {
  const baseUrl = env["RECLAIM_BASE_URL"] || url;
  const encryptionKey = env["RECLAIM_ENCRYPTION_KEY"] || secrets.encryptionKey;
  // Grants access to the demo desk and nothing else of the simulator: the control token cannot be derived from it.
  const deskToken = createHash("sha256").update(`desk ${secrets.controlToken}`).digest("base64url");
  // Caches compiled code, so that a start compiles only what no earlier start of this build has compiled.
  const compiled = { NODE_COMPILE_CACHE: env["NODE_COMPILE_CACHE"] || join(root, "dist", ".compiled") };
  const server = {
    ...env,
    ...compiled,
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    DATABASE_URL: databases.server,
    RECLAIM_AUDIT_DATABASE_URL: databases.sequencer,
    RECLAIM_OWNER_DATABASE_URL: undefined, // for migrations only
    PORT: String(options.port),
    RECLAIM_ROLES: env["RECLAIM_ROLES"] || "web,controller",
    RECLAIM_BASE_URL: baseUrl,
    NEXTAUTH_URL: baseUrl,
    NEXTAUTH_SECRET: env["NEXTAUTH_SECRET"] || secrets.nextAuthSecret,
    RECLAIM_ENCRYPTION_KEY: encryptionKey,
    RECLAIM_STATE_DIR: env["RECLAIM_STATE_DIR"] || files.highWater,
    RECLAIM_BOOT_IMAGE_DIR: env["RECLAIM_BOOT_IMAGE_DIR"] || files.image,
    ...(fleet === undefined
      ? {}
      : {
          RECLAIM_BMC_NETWORKS: env["RECLAIM_BMC_NETWORKS"] || "loopback",
          RECLAIM_DEMO_DESK_URL: `http://127.0.0.1:${fleet.port}/control/desk`,
          RECLAIM_DEMO_DESK_TOKEN: deskToken,
        }),
  };
  const seed = {
    ...compiled,
    NODE_ENV: "production",
    // It looks at the database before the roles are set up.
    DATABASE_URL: databases.owner,
    RECLAIM_BASE_URL: baseUrl,
    RECLAIM_ENCRYPTION_KEY: encryptionKey,
    RECLAIM_DEMO_LOGINS: files.demoLogins,
    RECLAIM_SEED_NEW_LOGINS: options.newLogins === true ? "1" : "0",
    ...(fleet === undefined
      ? {}
      : {
          RECLAIM_SIM_PORT: String(fleet.port),
          RECLAIM_SIM_HOSTS: String(fleet.hosts),
          RECLAIM_SIM_SPEED: String(options.speed),
          RECLAIM_SIM_BMC_PASSWORD: secrets.bmcPassword,
          RECLAIM_SIM_NETWORK_TOKEN: secrets.networkToken,
        }),
  };
  const simulator =
    fleet === undefined
      ? {}
      : { ...compiled, ...simulatorEnvironment({ env, options, secrets, fleet, files, deskToken }) };
  return { server, seed, simulator };
}

/**
 * The simulator stands in for hardware, which knows no database and none of our secrets. The people of its living demo use the demo logins.
 * @param {object} system
 * @param {Readonly<Record<string, string | undefined>>} system.env ours
 * @param {Pick<import("./start-options.mjs").Options, "port" | "speed">} system.options
 * @param {import("./setup/secrets.mjs").Secrets} system.secrets
 * @param {import("./setup/fleet.mjs").Fleet} system.fleet
 * @param {Pick<import("./folders.mjs").StateFiles, "demoLogins" | "simulator">} system.files
 * @param {string} system.deskToken
 */
function simulatorEnvironment({ env, options, secrets, fleet, files, deskToken }) {
  return {
    NODE_ENV: "production",
    PATH: env["PATH"],
    RECLAIM_LOG_LEVEL: env["RECLAIM_LOG_LEVEL"],
    RECLAIM_SIM_PORT: String(fleet.port),
    RECLAIM_SIM_HOSTS: String(fleet.hosts),
    RECLAIM_SIM_SEED: String(fleet.seed),
    RECLAIM_SIM_SPEED: String(options.speed),
    RECLAIM_SIM_BOOT_CARDS: fleet.bootCards === true ? "1" : "0",
    RECLAIM_SIM_BMC_PASSWORD: secrets.bmcPassword,
    RECLAIM_SIM_NETWORK_TOKEN: secrets.networkToken,
    RECLAIM_SIM_CONTROL_TOKEN: secrets.controlToken,
    RECLAIM_SIM_STATE: files.simulator,
    RECLAIM_SIM_DESK_TOKEN: deskToken,
    RECLAIM_SIM_SCENARIO: join(root, "server", "simulator", "living", "demo.yaml"),
    RECLAIM_SIM_DEMO_LOGINS: files.demoLogins,
    RECLAIM_SIM_CONTROLLER_URL: `http://127.0.0.1:${options.port}`,
  };
}
