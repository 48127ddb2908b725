// Asks an authority for time stamps (RFC 3161).
import { createHash } from "node:crypto";
import type { StampTime } from "@/server/db/certificates/issue";

const stampWithinMs = 3_000;
/** An authority that did not answer is not asked for so long: certificates do not wait for it again and again. */
const stampAgainMs = 60_000;
const maxStampBytes = 64 * 1024;

/** A request for a time stamp over a SHA-256, with the authority's certificate in the answer (RFC 3161, section 2.4.1), in DER. */
const stampRequest = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(
    Buffer.concat([
      Buffer.from("30390201013031300d060960864801650304020105000420", "hex"),
      createHash("sha256").update(bytes).digest(),
      Buffer.from("0101ff", "hex"),
    ]),
  );

/** An answer begins with its status, 0 or 1: granted, or granted with changes. Words may follow it (RFC 3161, section 2.4.2). */
const isGranted = (answer: Buffer): boolean =>
  /^30(?:[0-7].|8[1-4](?:..){1,4}?)30..02010[01]/.test(answer.subarray(0, 16).toString("hex"));

/** Asks the authority at an address; null where none is configured. */
export function stampTimeAt(url: string | null, failed: (error: unknown) => void): StampTime {
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
      if (response.ok && answer.length <= maxStampBytes && isGranted(answer) && answer.includes(digest))
        return answer;
      throw new Error(`the time stamp authority answers with status ${response.status} and no time stamp`);
    } catch (error) {
      quietUntil = performance.now() + stampAgainMs;
      failed(error);
      return null;
    }
  };
}
