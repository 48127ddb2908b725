// The way to the server: one request, one connection. A connection that is kept open while a tool runs for minutes is one that the server has closed.
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { request as plain } from "node:http";
import { request as secure } from "node:https";
import type { Http } from "@/agent/surroundings";

/** No answer of the protocol is near it. */
const longestAnswer = 4 * 1024 * 1024;

export interface Way {
  /** `https://reclaim.example:8443`, with a path below which the protocol is, or without. */
  readonly server: URL;
  /** A file with the authorities that the server's certificate may be of; without one, those that come with Node. */
  readonly authorities?: string;
}

/** A file of authorities that is none: the agent does not begin, and does not go on with others. */
export class AuthoritiesError extends Error {
  override readonly name = "AuthoritiesError";
}

/** The text of a file with at least one certificate, each of which can be read. Throws AuthoritiesError. */
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

/** Codes of OpenSSL and of Node for a certificate that is not believed. */
const certificateCode = /^(?:CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|ERR_TLS_CERT_)/;
const timeCode = /^CERT_(?:NOT_YET_VALID|HAS_EXPIRED)$/;

/** What a person at the host's screen must know of a server that was not believed; any other error as it is. */
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
