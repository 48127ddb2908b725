// The connection to the server: one per request. A connection kept open while a tool runs for minutes would be closed by the server.
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { request as plain } from "node:http";
import { request as secure } from "node:https";
import { isIP } from "node:net";
import type { Http } from "@/agent/surroundings";

/** Far more than any answer of the protocol. */
const longestAnswer = 4 * 1024 * 1024;

export interface Way {
  /** `https://reclaim.example:8443`, optionally with a path that the protocol is below. */
  readonly server: URL;
  /** A file with the authorities that may have issued the server's certificate; default: those that come with Node. */
  readonly authorities?: string;
}

/** The file of authorities is invalid: the agent does not start, and does not fall back to others. */
export class AuthoritiesError extends Error {
  override readonly name = "AuthoritiesError";
}

/** The text of a file with at least one certificate, all of them readable. Throws AuthoritiesError. */
function readAuthorities(file: string): string {
  try {
    const text = readFileSync(file, "utf8");
    const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    if (certificates.length === 0) throw new Error("it has no certificate in PEM");
    for (const certificate of certificates) void new X509Certificate(certificate).subject;
    return text;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new AuthoritiesError(`cannot read the authorities in ${file}: ${why}`);
  }
}

/** OpenSSL and Node codes for a certificate that is not trusted. */
const certificateCode = /^(?:CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|ERR_TLS_CERT_)/;
const timeCode = /^CERT_(?:NOT_YET_VALID|HAS_EXPIRED)$/;

/** An error that tells a person at the host's screen why the server is not trusted; any other error unchanged. */
function plainly(error: Error, { server, authorities }: Way): Error {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (!certificateCode.test(code)) return error;
  const by = authorities === undefined ? "those that come with Node" : `those in ${authorities}`;
  const clock = timeCode.test(code) ? `; this host's clock says ${new Date().toISOString()}` : "";
  return new Error(
    `the certificate of ${server.host} is refused: ${error.message.split("; if the root", 1).join("")} (${code}); authorities: ${by}${clock}`,
    { cause: error },
  );
}

/** Throws AuthoritiesError. */
export function transport(way: Way): Http {
  const { server, authorities } = way;
  const isSecure = server.protocol === "https:";
  const ca = isSecure && authorities !== undefined ? readAuthorities(authorities) : undefined;
  const base = server.href.replace(/\/+$/, "");
  // The server accepts the token and the session from one address only (docs/adr/0122-who-may-give-evidence.md). Where this host and the server have
  // several, each connection could otherwise come from another one.
  let own: { readonly localAddress: string; readonly family: number } | null = null;
  return ({ method, path, token, body, timeoutMs, signal }) =>
    new Promise((done, fail) => {
      const headers = {
        accept: "application/json",
        ...(body === undefined
          ? {}
          : { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) }),
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      };
      const options = {
        method,
        headers,
        agent: false,
        ...own,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      };
      const sent = (isSecure ? secure : plain)(`${base}${path}`, {
        ...options,
        ...(ca === undefined ? {} : { ca }),
      });
      sent.once("error", (error) => fail(plainly(error, way)));
      sent.once("response", (answer) => {
        const parts: Buffer[] = [];
        let length = 0;
        const { localAddress } = answer.socket;
        if (localAddress !== undefined) own ??= { localAddress, family: isIP(localAddress) };
        answer.on("data", (part: Buffer) => {
          length += part.length;
          if (length > longestAnswer) sent.destroy(new Error("the answer is longer than 4 MiB"));
          else parts.push(part);
        });
        answer.once("error", fail);
        answer.once("end", () =>
          done({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString("utf8") }),
        );
      });
      sent.end(body);
    });
}
