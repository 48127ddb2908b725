// NICo's own form of an error, and what it calls things that go wrong (docs/api.md#nico).
import type { FastifyReply } from "fastify";

export interface NicoError {
  readonly status: number;
  readonly message: string;
  /** By field, what is wrong with it. */
  readonly data: Readonly<Record<string, string>> | null;
}

export const nicoError = (status: number, message: string, data: NicoError["data"] = null): NicoError => ({
  status,
  message,
  data,
});

export function sendNicoError(reply: FastifyReply, { status, message, data }: NicoError): FastifyReply {
  if (status === 401) reply.header("www-authenticate", "Bearer");
  return reply
    .code(status)
    .type("application/json")
    .send(JSON.stringify({ source: "nico", message, data }));
}

export type NicoResult<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: NicoError };

export const nicoOk = <Value>(value: Value): NicoResult<Value> => ({ ok: true, value });
export const nicoRefused = (
  status: number,
  message: string,
  data: NicoError["data"] = null,
): { readonly ok: false; readonly error: NicoError } => ({
  ok: false,
  error: nicoError(status, message, data),
});
