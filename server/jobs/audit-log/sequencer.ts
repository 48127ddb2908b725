// What keeps the audit log in a controller's process: numbers and signs, has witnesses cosign, and checks, with connections of the sequencer's role.
import type { Logger } from "pino";
import type { ServerConfig } from "@/server/config";
import { readSigners } from "@/server/db/audit-log/keys";
import type { StoredSigner } from "@/server/db/audit-log/keys";
import { readProtection } from "@/server/db/audit-log/protection";
import { createHotPool } from "@/server/db/hot/pool";
import type { SecretBox } from "@/server/db/secrets/secret-box";
import type { Policy } from "@/server/domain/audit-log/policy";
import { startAuditLog } from "@/server/jobs/audit-log/audit-log";
import { startSelfAudit } from "@/server/jobs/audit-log/self-audit";
import { startWitnessing } from "@/server/jobs/audit-log/witnesses";

/** It numbers, signs, notes cosignatures, and checks: one connection for each. */
const connections = 4;

export interface RunningSequencer {
  /** The keys that sign the log, the newest first, for what else is signed with them. */
  readonly signers: () => Promise<readonly StoredSigner[]>;
  /** Resolves when what is under way has ended. */
  readonly stop: () => Promise<void>;
}

/** Begins at once. */
export function startSequencer({
  config,
  secrets,
  logger,
  auditPolicy,
}: {
  readonly config: ServerConfig;
  readonly secrets: SecretBox;
  readonly logger: Logger;
  readonly auditPolicy: Policy | undefined;
}): RunningSequencer {
  const pool = createHotPool(config.audit.databaseUrl, {
    max: connections,
    applicationName: `reclaim audit ${config.controllerName}`,
    onError: (error) => logger.warn({ err: error }, "a database connection of the audit log was lost"),
  });
  const stopAuditLog = startAuditLog(pool, secrets, logger, config.baseUrl);
  const stopWitnessing = startWitnessing(pool, logger, auditPolicy);
  const stopSelfAudit = startSelfAudit(pool, logger, config.audit.selfAuditHour);
  return {
    signers: () => readSigners(pool, secrets),
    stop: async () => {
      await stopSelfAudit();
      await stopWitnessing();
      await stopAuditLog();
      await pool.end();
    },
  };
}

/** Says so when the role of the server may change the log. */
export async function warnUnprotected(
  pool: Parameters<typeof readProtection>[0],
  logger: Logger,
): Promise<void> {
  const { role, changeable } = await readProtection(pool);
  if (changeable.length > 0)
    logger.warn(
      { role, tables: changeable },
      `the audit log is not protected by database roles: the server's role ${role} may change it (docs/operations.md, Database roles)`,
    );
}
