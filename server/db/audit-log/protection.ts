// Whether the database prevents the server from changing the audit log (docs/operations.md#database-roles).
import type { LogDatabase } from "@/server/db/audit-log/keys";

export interface LogProtection {
  /** The role of this connection. */
  readonly role: string;
  /** Tables of the log that this role may change, delete from or alter; none: the roles are set up. */
  readonly changeable: readonly string[];
}

/** What this connection's role may do to the log. */
export async function readProtection(database: LogDatabase): Promise<LogProtection> {
  const { rows } = await database.query<{ role: string; changeable: string[] }>(
    `SELECT current_user::text AS role, coalesce(array_agg(c.relname::text ORDER BY c.relname) FILTER (
       WHERE r.rolcreaterole OR pg_has_role(c.relowner, 'MEMBER') OR pg_has_role(n.nspowner, 'MEMBER') OR pg_has_role(d.datdba, 'MEMBER')
         OR has_any_column_privilege(c.oid, 'UPDATE') OR has_table_privilege(c.oid, 'DELETE, TRUNCATE, TRIGGER')
     ), '{}') AS changeable
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_database d ON d.datname = current_database() JOIN pg_roles r ON r.rolname = current_user
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND c.relname LIKE 'audit\\_%'`,
  );
  const [row] = rows;
  return { role: row?.role ?? "", changeable: row?.changeable ?? [] };
}
