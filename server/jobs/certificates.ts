// Signs certificates as reclamations end, within seconds (docs/adr/0103-certificates.md). Any number of processes may do it side by side.
import { createHash } from "node:crypto";
import type { Logger } from "pino";
import type { Pool } from "pg";
import { issueCertificates } from "@/server/db/certificates/issue";
import type { ReadSigners, StampTime } from "@/server/db/certificates/issue";
import type { Policy } from "@/server/domain/audit-log/policy";
import { errorLog } from "@/server/jobs/error-log";

const everyMs = 500;
const stampWithinMs = 3_000;
/** An authority that did not answer is not asked for so long: certificates do not wait for it again and again. */
const stampAgainMs = 60_000;
const mostStampBytes = 64 * 1024;

/** A request for a time stamp over a SHA-256, with the authority's certificate in the answer (RFC 3161, section 2.4.1), in DER. */
const stampRequest = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(
    Buffer.concat([
      Buffer.from("30390201013031300d060960864801650304020105000420", "hex"),
      createHash("sha256").update(bytes).digest(),
      Buffer.from("0101ff", "hex"),
    ]),
  );

/** An answer begins with its status: granted, or granted with changes. */
const isGranted = (answer: Buffer): boolean =>
  /^30(8[1-4])?.{0,8}?3003020(100|101)/.test(answer.subarray(0, 16).toString("hex"));

/** Asks the authority at an address; null where none is configured. */
function stampTimeAt(url: string | null, failed: (error: unknown) => void): StampTime {
  let quietUntil = Number.NEGATIVE_INFINITY;
  return async (bytes) => {
    if (url === null || performance.now() < quietUntil) return null;
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/timestamp-query" },
        body: stampRequest(bytes),
        redirect: "error",
        signal: AbortSignal.timeout(stampWithinMs),
      });
      const answer = Buffer.from(await response.arrayBuffer());
      const digest = createHash("sha256").update(bytes).digest();
      if (response.ok && answer.length <= mostStampBytes && isGranted(answer) && answer.includes(digest))
        return answer;
      throw new Error(`the time stamp authority answers with status ${response.status} and no time stamp`);
    } catch (error) {
      quietUntil = performance.now() + stampAgainMs;
      failed(error);
      return null;
    }
  };
}

/** Begins at once and repeats until the returned function is called, which resolves when what is under way has ended. */
export function startCertificates(
  pool: Pool,
  signers: ReadSigners,
  logger: Logger,
  { policy, timestampUrl }: { readonly policy: Policy | undefined; readonly timestampUrl: string | null },
): () => Promise<void> {
  const notIssued = errorLog(logger, "certificates could not be issued");
  const stampTime = stampTimeAt(timestampUrl, errorLog(logger, "a certificate has no time stamp"));
  let isOver = false;
  let round: Promise<void> | null = null;
  const issueAll = async (): Promise<void> => {
    while (!isOver && (await issueCertificates(pool, signers, policy, stampTime)) > 0);
  };
  const timer = setInterval(() => {
    round ??= issueAll()
      .catch(notIssued)
      .finally(() => {
        round = null;
      });
  }, everyMs);
  return async () => {
    isOver = true;
    clearInterval(timer);
    await round;
  };
}
