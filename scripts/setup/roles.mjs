// The database roles of a deployment (docs/operations.md#database-roles): the owner migrates, the server may not change the audit log, and only the
// sequencer numbers and signs. Runs after each migration, because a migration may add tables. Idempotent.
import { createHmac } from "node:crypto";
import { connect, migrate } from "./migrate.mjs";

/** The tables of the audit log: append-only, or the sequencer's. */
export const logTables = [
  "audit_event",
  "audit_pending",
  "audit_leaf",
  "audit_node",
  "audit_tree",
  "audit_checkpoint",
  "audit_key",
  "audit_key_wanted",
  "audit_rotation",
  "audit_cosignature",
  "audit_check",
];

/** What the self-audit reads besides the log, with the sequencer's role (docs/adr/0111-the-self-audit-replays-states.md): no policy, no content, no address. */
const checkedColumns = {
  state_history: "host_id, version, state, reason, causes, reclamation_id, generation, at",
  reclamation: "id, number, host_id, host_serial, kind, instance_id, started_at, ended_at, outcome",
  step_run:
    'reclamation_id, plan_epoch, position, interface, step, "where", priority, args, proves, status, attempt, started_at, ended_at, message',
  gate: "reclamation_id, gate, status",
  certificate: "reclamation_id, kind, type",
  history_digest_due: "reclamation_id, trouble",
  instance: "id, host_id, created_at, ready_at, ended_at",
  host_run: "host_id, state, state_version, state_since, instance_id, tenant_id, lease_until",
  host: "id, name, site_id, hardware_type",
  gone_host: "host_id, name, site, hardware_type, gone_at",
  site: "id, name, demo",
};

/** Only the owner may change these. */
const ownersTables = ["_prisma_migrations"];

/**
 * URLs of one database by role.
 * @typedef {object} Databases
 * @property {string} owner migrates
 * @property {string} server
 * @property {string | undefined} sequencer numbers and signs the audit log; undefined: the server's role does
 */

/**
 * The URLs in the environment: one role for everything, unless all three are given.
 * @param {string} server
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {Databases}
 */
export function givenDatabases(server, env) {
  const owner = env["RECLAIM_OWNER_DATABASE_URL"] || undefined;
  const sequencer = env["RECLAIM_AUDIT_DATABASE_URL"] || undefined;
  if ((owner === undefined) !== (sequencer === undefined))
    throw new Error(
      "RECLAIM_OWNER_DATABASE_URL and RECLAIM_AUDIT_DATABASE_URL: are given together, or not at all",
    );
  return { owner: owner ?? server, server, sequencer };
}

/**
 * The URLs of the embedded database. The passwords are derived from the owner's, which cannot be derived from them.
 * @param {string} owner
 * @param {{ readonly databasePassword: string }} secrets
 * @returns {Databases}
 */
export function embeddedDatabases(owner, { databasePassword }) {
  const as = (/** @type {string} */ role) => {
    const url = new URL(owner);
    url.username = role;
    url.password = createHmac("sha256", databasePassword).update(role).digest("base64url");
    return url.href;
  };
  return { owner, server: as("reclaim_app"), sequencer: as("reclaim_audit") };
}

/** @typedef {{ readonly name: string, readonly password: string }} Login */

/** @param {string} url @returns {Login} */
function loginOf(url) {
  const { username, password } = new URL(url);
  return { name: decodeURIComponent(username), password: decodeURIComponent(password) };
}

/** PostgreSQL's built-in roles that can change any table, or act as the database server. */
const mighty = ["pg_write_all_data", "pg_write_server_files", "pg_execute_server_program"];

/**
 * A power of a role that the grants of this file cannot take away: it owns a part of the database, is a member of a role that does, or can become one.
 * @param {import("pg").Client} client
 * @param {string} name
 * @returns {Promise<string | null>} null if there is none
 */
async function mightOf(client, name) {
  const { rows } = await client.query(
    `SELECT CASE WHEN r.rolsuper THEN 'is a superuser'
       WHEN r.rolcreaterole THEN 'has CREATEROLE'
       WHEN pg_has_role(r.oid, current_user, 'MEMBER') THEN 'is the owner of the database or a member of it'
       WHEN pg_has_role(r.oid, (SELECT datdba FROM pg_database WHERE datname = current_database()), 'MEMBER') THEN 'owns the database'
       WHEN pg_has_role(r.oid, n.nspowner, 'MEMBER') THEN 'owns the schema'
       WHEN EXISTS (SELECT 1 FROM pg_class c WHERE c.relnamespace = n.oid AND pg_has_role(r.oid, c.relowner, 'MEMBER')) THEN 'owns tables'
       WHEN EXISTS (SELECT 1 FROM pg_proc p WHERE p.pronamespace = n.oid AND pg_has_role(r.oid, p.proowner, 'MEMBER')) THEN 'owns functions'
       WHEN EXISTS (SELECT 1 FROM pg_roles m WHERE m.rolname = ANY ($2::text[]) AND pg_has_role(r.oid, m.oid, 'MEMBER'))
         THEN 'is a member of one of the roles ' || array_to_string($2::text[], ', ')
       END AS might
     FROM pg_roles r, pg_namespace n WHERE r.rolname = $1 AND n.oid = current_schema()::regnamespace`,
    [name, mighty],
  );
  return rows[0]?.might ?? null;
}

/**
 * @param {import("pg").Client} client
 * @param {string} name
 * @throws if the role has a power that these roles must not have
 */
async function refuseMighty(client, name) {
  const might = await mightOf(client, name);
  if (might !== null)
    throw new Error(
      `the role ${name} ${might}: it could change the audit log. RECLAIM_OWNER_DATABASE_URL names the role that owns the tables; the server and the sequencer need roles of their own`,
    );
}

/**
 * @param {import("pg").Client} client
 * @param {Login} login
 * @throws if the role has a power that these roles must not have
 */
async function makeRole(client, { name, password }) {
  const { rowCount } = await client.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [name]);
  if (rowCount === 0)
    await client.query(
      `CREATE ROLE ${client.escapeIdentifier(name)} LOGIN PASSWORD ${client.escapeLiteral(password)}`,
    );
  await refuseMighty(client, name);
}

/**
 * Limits of the sessions of a role, in milliseconds; where the server opens them itself it sets the same (server/db/connection.ts). A forgotten transaction
 * keeps PostgreSQL from removing dead rows, and may hold locks.
 */
export const sessionLimits = { idle_in_transaction_session_timeout: 60_000, statement_timeout: 900_000 };
/** Of the owner: a migration may take long. */
const ownerLimits = { idle_in_transaction_session_timeout: 60_000 };
/** Only PostgreSQL 17 and later have it. */
const transactionLimit = { transaction_timeout: 1_800_000 };

/**
 * Sets the limits of a role in its database. The role does so itself, which needs no rights.
 * @param {string} url
 * @param {Readonly<Record<string, number>>} limits
 */
async function limitSessions(url, limits) {
  const client = await connect(url);
  try {
    await client.query("BEGIN");
    // Two that change one role's settings at once would fail.
    await client.query("SELECT pg_advisory_xact_lock(72707403)");
    const { rows } = await client.query(
      "SELECT current_setting('server_version_num')::int >= 170000 AS new, current_database() AS name",
    );
    const all = { ...limits, ...("statement_timeout" in limits && rows[0].new ? transactionLimit : {}) };
    for (const [setting, ms] of Object.entries(all))
      await client.query(
        `ALTER ROLE CURRENT_USER IN DATABASE ${client.escapeIdentifier(rows[0].name)} SET ${setting} = ${ms}`,
      );
    await client.query("COMMIT");
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The columns that may be written; not the time, which is always the database's. @param {import("pg").Client} client */
async function eventColumns(client) {
  const { rows } = await client.query(
    "SELECT attname FROM pg_attribute WHERE attrelid = 'audit_event'::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'at'",
  );
  return rows.map(({ attname }) => client.escapeIdentifier(attname)).join(", ");
}

/**
 * Grants the roles of two URLs what they need, revokes what they must not have, and limits their sessions. Creates a missing role, with the password of
 * its URL.
 * @param {string} ownerUrl
 * @param {{ readonly server: string, readonly sequencer: string }} urls
 */
export async function setUpRoles(ownerUrl, urls) {
  const client = await connect(ownerUrl);
  const [server, sequencer] = [loginOf(urls.server), loginOf(urls.sequencer)];
  if (server.name === sequencer.name)
    throw new Error(`the server and the sequencer of the audit log have the same role, ${server.name}`);
  const app = client.escapeIdentifier(server.name);
  const audit = client.escapeIdentifier(sequencer.name);
  const both = `${app}, ${audit}`;
  try {
    await client.query("BEGIN");
    // Concurrent runs wait for each other, so that a role is created once.
    await client.query("SELECT pg_advisory_xact_lock(72707403)");
    await makeRole(client, server);
    await makeRole(client, sequencer);
    const { rows } = await client.query("SELECT quote_ident(current_schema()) AS schema");
    const schema = String(rows[0]?.schema);
    const event = await eventColumns(client);
    for (const statement of [
      `GRANT USAGE ON SCHEMA ${schema} TO ${both}`,
      `REVOKE CREATE ON SCHEMA ${schema} FROM PUBLIC, ${both}`,
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${app}`,
      `GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${schema} TO ${both}`,
      `REVOKE ALL ON ${[...logTables, ...ownersTables].join(", ")} FROM PUBLIC, ${both}`,
      `GRANT SELECT ON ${logTables.filter((name) => name !== "audit_key").join(", ")}, ${ownersTables.join(", ")} TO ${both}`,
      `GRANT INSERT (${event}) ON audit_event TO ${both}`,
      `GRANT SELECT (id, origin, public_key, created_at) ON audit_key TO ${app}`,
      `GRANT INSERT (id) ON audit_key_wanted TO ${app}`,
      `GRANT DELETE ON audit_key_wanted TO ${audit}`,
      `GRANT SELECT, INSERT ON audit_key TO ${audit}`,
      `GRANT DELETE ON audit_pending TO ${audit}`,
      `GRANT INSERT ON audit_leaf, audit_node, audit_checkpoint, audit_rotation, audit_cosignature TO ${audit}`,
      `GRANT UPDATE (size, edge) ON audit_tree TO ${audit}`,
      `GRANT INSERT (asked_by) ON audit_check TO ${app}`,
      `GRANT INSERT, UPDATE, DELETE ON audit_check TO ${audit}`,
      // Whatever earlier grants allowed: these columns and no others.
      `REVOKE ALL ON ${Object.keys(checkedColumns).join(", ")} FROM ${audit}`,
      ...Object.entries(checkedColumns).map(
        ([table, columns]) => `GRANT SELECT (${columns}) ON ${table} TO ${audit}`,
      ),
    ])
      await client.query(statement);
    await client.query("COMMIT");
  } finally {
    await client.end().catch(() => undefined);
  }
  await limitSessions(ownerUrl, ownerLimits);
  for (const url of [urls.server, urls.sequencer]) await limitSessions(url, sessionLimits);
}

/**
 * Brings a database to the newest migration, and grants its roles what they need. The roles are checked first: a migration by the wrong owner would
 * leave tables with two owners.
 * @param {Databases} databases
 * @returns {Promise<number>} how many migrations were applied
 */
export async function migrateWithRoles({ owner, server, sequencer }) {
  if (sequencer === undefined) {
    const applied = await migrate(owner);
    await limitSessions(owner, ownerLimits);
    return applied;
  }
  const client = await connect(owner);
  try {
    for (const url of [server, sequencer]) await refuseMighty(client, loginOf(url).name);
  } finally {
    await client.end().catch(() => undefined);
  }
  const count = await migrate(owner);
  await setUpRoles(owner, { server, sequencer });
  return count;
}
