// The database roles of a deployment (docs/operations.md#database-roles): the owner migrates, the server may not change the audit log, and the sequencer
// alone numbers and signs. Run after each migration, because a migration may bring tables. May be run again at any time.
import { createHmac } from "node:crypto";
import { connect } from "./migrate.mjs";

/** What only grows, or is the sequencer's: all tables of the audit log. */
export const logTables = [
  "audit_event",
  "audit_pending",
  "audit_leaf",
  "audit_node",
  "audit_tree",
  "audit_checkpoint",
  "audit_key",
  "audit_rotation",
  "audit_cosignature",
];

/** A change of these is the owner's alone. */
const ownersTables = ["_prisma_migrations"];

/**
 * Addresses of one database by role.
 * @typedef {object} Databases
 * @property {string} owner migrates
 * @property {string} server
 * @property {string | undefined} sequencer numbers and signs the audit log; undefined: the server's role does
 */

/**
 * As the environment names them: of one role, unless all three are named.
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
 * Of the embedded database. The passwords follow from the owner's, which cannot be found from them.
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

/**
 * @param {import("pg").Client} client
 * @param {Login} login
 * @throws when the role may do what this is to prevent
 */
async function makeRole(client, { name, password }) {
  const { rows } = await client.query(
    "SELECT rolsuper, pg_has_role(oid, current_user, 'MEMBER') AS is_owner FROM pg_roles WHERE rolname = $1",
    [name],
  );
  const [role] = rows;
  if (role === undefined)
    await client.query(
      `CREATE ROLE ${client.escapeIdentifier(name)} LOGIN PASSWORD ${client.escapeLiteral(password)}`,
    );
  else if (role.rolsuper || role.is_owner)
    throw new Error(
      `the role ${name} is the owner of the database, a member of it or a superuser: it could change the audit log. Give the server a role of its own`,
    );
}

/** Every event has the time of the database. @param {import("pg").Client} client */
async function eventColumns(client) {
  const { rows } = await client.query(
    "SELECT attname FROM pg_attribute WHERE attrelid = 'audit_event'::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'at'",
  );
  return rows.map(({ attname }) => client.escapeIdentifier(attname)).join(", ");
}

/**
 * Gives the roles of two addresses what they need, and takes from them what they must not have. Makes a role that is not there, with the password of
 * its address.
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
    // Of two that do this at once, one waits: a role is made once.
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
      `GRANT SELECT (id, origin, public_key, created_at), INSERT (origin, public_key, private_key) ON audit_key TO ${app}`,
      `GRANT SELECT, INSERT ON audit_key TO ${audit}`,
      `GRANT DELETE ON audit_pending TO ${audit}`,
      `GRANT INSERT ON audit_leaf, audit_node, audit_checkpoint, audit_rotation, audit_cosignature TO ${audit}`,
      `GRANT UPDATE (size, edge) ON audit_tree TO ${audit}`,
    ])
      await client.query(statement);
    await client.query("COMMIT");
  } finally {
    await client.end().catch(() => undefined);
  }
}
