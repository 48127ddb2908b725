// Evidence in an S3 service. Three requests are all that is needed, so there is no client library: `@aws-sdk/client-s3` brings a hundred packages.
import { createHash } from "node:crypto";
import type { BlobStore } from "@/server/db/evidence/blob-store";
import { signV4 } from "@/server/db/evidence/signature-v4";
import type { S3Credentials, S3Request } from "@/server/db/evidence/signature-v4";

export interface S3Settings extends S3Credentials {
  /** Service, bucket and, if wanted, a folder, without a slash at the end: the form with the bucket in the path. */
  readonly url: string;
}

const answerWithinMs = 60_000;
const emptySha256 = createHash("sha256").update("").digest("hex");

/** Objects are named by their SHA-256. Throws when the service does not do as it was asked; the message holds no secret. */
export function s3Store(settings: S3Settings): BlobStore {
  const ask = async (
    method: S3Request["method"],
    sha256: string,
    body: Uint8Array | null,
  ): Promise<Response> => {
    const url = new URL(`${settings.url}/${sha256}`);
    const bodySha256 = body === null ? emptySha256 : sha256;
    const headers = signV4({ method, url, bodySha256, at: new Date() }, settings);
    const response = await fetch(url, {
      method,
      headers,
      redirect: "error",
      signal: AbortSignal.timeout(answerWithinMs),
      ...(body === null ? {} : { body: Buffer.from(body) }),
    });
    if (response.ok || (method === "DELETE" && response.status === 404)) return response;
    await response.body?.cancel();
    throw new Error(`the S3 service answers ${method} with ${response.status}`);
  };
  return {
    place: "s3",
    async put(sha256, bytes) {
      await (await ask("PUT", sha256, bytes)).body?.cancel();
    },
    async *read(sha256) {
      const { body } = await ask("GET", sha256, null);
      if (body !== null) yield* body;
    },
    async remove(sha256) {
      await (await ask("DELETE", sha256, null)).body?.cancel();
    },
  };
}
