// Signs a request to an S3 service (AWS Signature Version 4: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html).
import { createHash, createHmac } from "node:crypto";

export interface S3Credentials {
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

export interface S3Request {
  readonly method: "GET" | "PUT" | "DELETE";
  /** With its query, if any, in canonical form. */
  readonly url: URL;
  /** In hexadecimal digits. */
  readonly bodySha256: string;
  readonly at: Date;
}

const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");
const hmac = (key: string | Uint8Array, text: string): Buffer =>
  createHmac("sha256", key).update(text, "utf8").digest();

const percent = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase()}`;

/** An object's path as the service recomputes it: everything except letters, digits and `-._~` is percent-encoded. URLs leave more characters as they are. */
const canonicalPath = (path: string): string =>
  path
    .split("/")
    .map((part) => encodeURIComponent(decodeURIComponent(part)).replaceAll(/[!'()*]/g, percent))
    .join("/");

/** The headers that the request must carry. */
export function signV4(
  { method, url, bodySha256, at }: S3Request,
  { region, accessKey, secretKey }: S3Credentials,
): Readonly<Record<string, string>> {
  const time = at.toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const day = time.slice(0, 8);
  const signed = "host;x-amz-content-sha256;x-amz-date";
  const canonical = [
    method,
    canonicalPath(url.pathname),
    url.search.slice(1),
    `host:${url.host}`,
    `x-amz-content-sha256:${bodySha256}`,
    `x-amz-date:${time}`,
    "",
    signed,
    bodySha256,
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const keys = [day, region, "s3", "aws4_request"];
  const key = keys.reduce<Buffer>((last, part) => hmac(last, part), Buffer.from(`AWS4${secretKey}`, "utf8"));
  const signature = hmac(key, ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n")).toString(
    "hex",
  );
  return {
    "x-amz-content-sha256": bodySha256,
    "x-amz-date": time,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope}, SignedHeaders=${signed}, Signature=${signature}`,
  };
}
