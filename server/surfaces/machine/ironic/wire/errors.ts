// Ironic's error formats (docs/api-ironic.md#versions-and-errors). The body is JSON within JSON.
import type { FastifyReply } from "fastify";
import { ironicStatus } from "@/server/domain/problems";
import type { Outcome, Problem } from "@/server/usecases/problem";

/** May be thrown by anything that a handler calls. The error handler of `/v1` turns it into the answer. */
export class IronicFault extends Error {
  override readonly name = "IronicFault";
  readonly faultcode: "Client" | "Server";

  constructor(
    readonly status: number,
    readonly faultstring: string,
  ) {
    super(faultstring);
    this.faultcode = status >= 500 ? "Server" : "Client";
  }
}

/** @param message what the client prints: a complete sentence in Ironic's words, without secrets */
export const fault = (status: number, message: string): IronicFault => new IronicFault(status, message);

export function sendFault(
  reply: FastifyReply,
  { status, faultcode, faultstring }: IronicFault,
): FastifyReply {
  if (status === 401) return sendUnauthorized(reply, faultstring);
  if (status === 429 || status === 503) reply.header("retry-after", "1");
  return sendInner(reply, status, { faultcode, faultstring, debuginfo: null });
}

const titles: Readonly<Record<number, string>> = {
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
};

/**
 * Errors of Ironic's router: an unknown address, method or version. They have members of their own; openstacksdk prints only
 * `faultstring` (`openstack/exceptions.py`), so the members of every other error are included as well.
 */
export function sendRoutingFault(
  reply: FastifyReply,
  status: 404 | 405 | 406,
  description: string,
): FastifyReply {
  const { faultcode, faultstring } = fault(status, description);
  return sendInner(reply, status, {
    code: status,
    title: titles[status],
    description,
    faultcode,
    faultstring,
    debuginfo: null,
  });
}

export const noResource = "The resource could not be found.";

export const notAllowed = (method: string): string =>
  `The method ${method} is not allowed for this resource.`;

/** The only body that is not double-encoded. */
export function sendUnauthorized(reply: FastifyReply, message: string): FastifyReply {
  return reply
    .code(401)
    .header("www-authenticate", 'Basic realm="Baremetal API"')
    .type("application/json")
    .send(JSON.stringify({ error: { message, code: 401 } }));
}

/** The text of a body, for answers that are not sent through Fastify's reply. */
export const faultBody = (inner: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ error_message: JSON.stringify(inner) });

function sendInner(
  reply: FastifyReply,
  status: number,
  inner: Readonly<Record<string, unknown>>,
): FastifyReply {
  return reply.code(status).type("application/json").send(faultBody(inner));
}

/** The answer to a refused use case, with the use case's own text. */
export const faultOfProblem = (problem: Problem): IronicFault =>
  fault(ironicStatus(problem.code), problem.detail);

/** The value of a use case's outcome. Throws its problem. */
export function valueOf<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw faultOfProblem(outcome.problem);
}
