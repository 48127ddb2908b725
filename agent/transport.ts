// The way to the server: one request, one connection. A connection that is kept open while a tool runs for minutes is one that the server has closed.
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

export function transport({ server, authorities }: Way): Http {
  const isSecure = server.protocol === "https:";
  const ca = isSecure && authorities !== undefined ? readFileSync(authorities, "utf8") : undefined;
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
      sent.once("error", fail);
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
