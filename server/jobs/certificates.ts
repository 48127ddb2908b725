// What follows when reclamations end, within seconds: the digest of their history goes into the audit log, and certificates are signed
// (docs/adr/0101-audit-log.md, docs/adr/0103-certificates.md). Any number of processes may do it side by side.
import type { Logger } from "pino";
import type { Pool } from "pg";
import { issueCertificates } from "@/server/db/certificates/issue";
import { logHistoryDigests } from "@/server/db/reclamations/history-digests";
import type { ReadSigners } from "@/server/db/certificates/issue";
import type { Policy } from "@/server/domain/audit-log/policy";
import { errorLog } from "@/server/jobs/error-log";
import { startRounds } from "@/server/jobs/rounds";
import { stampTimeAt } from "@/server/jobs/time-stamps";

const everyMs = 500;

/** Begins at once and repeats until the returned function is called, which resolves when what is under way has ended. */
export function startCertificates(
  pool: Pool,
  signers: ReadSigners,
  logger: Logger,
  { policy, timestampUrl }: { readonly policy: Policy | undefined; readonly timestampUrl: string | null },
): () => Promise<void> {
  const notIssued = errorLog(logger, "certificates could not be issued");
  const notDigested = errorLog(logger, "the history of reclamations could not be logged");
  const stampTime = stampTimeAt(timestampUrl, errorLog(logger, "a certificate has no time stamp"));
  const issueAll = async (over: AbortSignal): Promise<void> => {
    while (!over.aborted && (await issueCertificates(pool, signers, policy, stampTime)) > 0);
  };
  const digestAll = async (over: AbortSignal): Promise<void> => {
    while (!over.aborted && (await logHistoryDigests(pool)) > 0);
  };
  return startRounds(
    everyMs,
    // Trouble with one keeps nobody from the other.
    (over) => Promise.all([issueAll(over).catch(notIssued), digestAll(over).catch(notDigested)]),
    notIssued,
  );
}
