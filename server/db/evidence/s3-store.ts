// Evidence in an S3 service. Only three kinds of request are needed, so there is no client library: `@aws-sdk/client-s3` brings a hundred packages.
import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { StoreUnavailable } from "@/server/db/evidence/blob-store";
import type { BlobStore } from "@/server/db/evidence/blob-store";
import { signV4 } from "@/server/db/evidence/signature-v4";
import type { S3Credentials, S3Request } from "@/server/db/evidence/signature-v4";

export interface S3Settings extends S3Credentials {
  /** Service, bucket and optionally a folder, without a trailing slash: path-style addressing. */
  readonly url: string;
}

/** Until the response starts, and between its chunks: the reader of a download may be slow. */
const waitMs = 60_000;
/** Before each retry. All three requests are idempotent. */
const pausesMs = [200, 800];
const emptySha256 = createHash("sha256").update("").digest("hex");
const isPassing = (status: number): boolean => status === 429 || status >= 500;

/** Aborts a request that is silent for too long. */
class Patience {
  readonly #controller = new AbortController();
  readonly signal = this.#controller.signal;

  async of<T>(promise: Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.#controller.abort(new StoreUnavailable("silence")), waitMs);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }
}

interface Answer {
  readonly response: Response;
  readonly patience: Patience;
}

async function askOnce(
  settings: S3Settings,
  method: S3Request["method"],
  sha256: string,
  body: Uint8Array | null,
): Promise<Answer> {
  const url = new URL(`${settings.url}/${sha256}`);
  const headers = signV4(
    { method, url, bodySha256: body === null ? emptySha256 : sha256, at: new Date() },
    settings,
  );
  const patience = new Patience();
  const content = body === null ? {} : { body: Buffer.from(body) };
  const asked = fetch(url, { method, headers, redirect: "error", signal: patience.signal, ...content });
  const response = await patience.of(asked).catch((error: unknown) => {
    throw new StoreUnavailable(`the S3 service does not respond to ${method}`, { cause: error });
  });
  if (response.ok || (method === "DELETE" && response.status === 404)) return { response, patience };
  await response.body?.cancel();
  const message = `the S3 service responded to ${method} with ${response.status}`;
  throw isPassing(response.status) ? new StoreUnavailable(message) : new Error(message);
}

/** Objects are named by their SHA-256. Throws if the service does not do as asked; the message contains no secret. */
export function s3Store(settings: S3Settings): BlobStore {
  const ask = async (
    method: S3Request["method"],
    sha256: string,
    body: Uint8Array | null,
  ): Promise<Answer> => {
    for (const pause of pausesMs) {
      try {
        return await askOnce(settings, method, sha256, body);
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
      }
      await delay(pause);
    }
    return askOnce(settings, method, sha256, body);
  };
  const askAll = async (method: "PUT" | "DELETE", sha256: string, body: Uint8Array | null) => {
    await (await ask(method, sha256, body)).response.body?.cancel();
  };
  return {
    place: "s3",
    put: (sha256, bytes) => askAll("PUT", sha256, bytes),
    async *read(sha256) {
      const { response, patience } = await ask("GET", sha256, null);
      const pieces = response.body?.[Symbol.asyncIterator]();
      if (pieces === undefined) return;
      try {
        for (;;) {
          const next = await patience.of(pieces.next());
          if (next.done === true) return;
          yield next.value;
        }
      } finally {
        await pieces.return?.();
      }
    },
    remove: (sha256) => askAll("DELETE", sha256, null),
  };
}
