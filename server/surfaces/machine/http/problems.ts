// Problem documents (RFC 9457) of our own machine surfaces: one row per code, with a stable type.
import type { FastifyReply } from "fastify";
import type { RefusalCode } from "@/server/agents/refusal";

interface ProblemRow {
  readonly status: number;
  readonly title: string;
  /** What would help. Never whether a host exists. */
  readonly detail: string;
}

const refusals = {
  unauthorized: {
    status: 401,
    title: "Not known",
    detail: "The bearer token is missing, wrong or has expired.",
  },
  bootTokenUsed: {
    status: 409,
    title: "Boot token used",
    detail: "The boot token was used, and so was the session that it gave. Only a new boot gives another.",
  },
  bootNotRestarted: {
    status: 409,
    title: "Too early",
    detail: "The restart of this boot is not done. Nothing that ran before it is served.",
  },
  bootContested: {
    status: 409,
    title: "Contested boot",
    detail: "Something asked too early in this boot, or a second one registered. Only a new boot is served.",
  },
  identityConflict: {
    status: 409,
    title: "Identity conflict",
    detail: "This identity may not register in this boot.",
  },
  registeredMeanwhile: {
    status: 409,
    title: "Another registration is under way",
    detail: "Several registrations came at one moment, and one of them counts. This one changed nothing.",
  },
  unknownAttempt: {
    status: 404,
    title: "No such attempt",
    detail: "This session has no such step run and attempt.",
  },
  attemptOver: {
    status: 409,
    title: "Attempt over",
    detail: "The attempt is not running. The report changed nothing.",
  },
  outOfOrder: {
    status: 409,
    title: "Out of order",
    detail: "A newer report of this attempt has been stored. This one changed nothing.",
  },
  differentReport: {
    status: 409,
    title: "Another report is stored",
    detail: "This attempt has a result already, and it differs. The first one stays.",
  },
  journalFull: {
    status: 413,
    title: "Journal full",
    detail: "The journal of this attempt is as long as one may be. The report changed nothing.",
  },
  notAsked: {
    status: 409,
    title: "Not asked for",
    detail: "This is not what the host was last asked for. Nothing was stored.",
  },
  unknownHost: { status: 404, title: "No such host", detail: "The site of this token has no such host." },
  networkNotWanted: {
    status: 409,
    title: "Not the wanted network",
    detail: "Another version, configuration or interface is wanted. Nothing was stored.",
  },
} satisfies Record<RefusalCode, ProblemRow>;

const wire = {
  invalid: { status: 400, title: "The request is not valid", detail: "" },
  malformed: { status: 400, title: "Malformed body", detail: "The body is not valid JSON." },
  notFound: { status: 404, title: "Not found", detail: "There is nothing at this address." },
  noBootWindow: { status: 404, title: "No boot window", detail: "No boot is waited for. Boot from disk." },
  tooLarge: { status: 413, title: "Too large", detail: "The body is larger than this address takes." },
  unsupportedType: {
    status: 415,
    title: "Unsupported type",
    detail: "The body must be application/json, not encoded.",
  },
  internal: {
    status: 500,
    title: "Something broke",
    detail: "The request could not be carried out. It may be repeated.",
  },
  unavailable: {
    status: 503,
    title: "Not available",
    detail: "The database cannot be reached. Repeat the request.",
  },
} as const satisfies Record<string, ProblemRow>;

export const problems = { ...refusals, ...wire };
export type MachineProblemCode = keyof typeof problems;

export interface MachineProblem {
  readonly code: MachineProblemCode;
  readonly detail?: string;
  /** The member of body, query or path that is wrong. */
  readonly field?: string;
}

export function problemDocument(problem: MachineProblem, requestId: string) {
  const row = problems[problem.code];
  return {
    type: `urn:reclaim:problem:${problem.code}`,
    title: row.title,
    status: row.status,
    detail: problem.detail ?? row.detail,
    code: problem.code,
    requestId,
    ...(problem.field === undefined ? {} : { field: problem.field }),
  };
}

export function sendProblem(reply: FastifyReply, problem: MachineProblem): FastifyReply {
  const { status } = problems[problem.code];
  if (status === 401) reply.header("www-authenticate", "Bearer");
  if (status === 503) reply.header("retry-after", "1");
  return reply
    .code(status)
    .type("application/problem+json")
    .send(JSON.stringify(problemDocument(problem, reply.request.id)));
}
