// All problems that an API can answer with: code, HTTP status, title, default detail, and whether repeating the request helps.
// The codes and statuses are part of each API (docs/api.md).

interface ProblemRow {
  readonly status: number;
  /** If the state does not allow a step, Ironic answers with 400, because its clients retry a 409 (docs/api-ironic.md#versions-and-errors). */
  readonly ironicStatus?: number;
  readonly title: string;
  /** Used if the use case provides no detail. Never reveals whether a host exists. */
  readonly detail: string;
  /** Whether the same request may succeed later without anybody changing it. */
  readonly retry: boolean;
}

/** What a use case may refuse. */
const refusedRequests = {
  invalid: { status: 400, title: "The request is not valid", detail: "", retry: false },
  unauthenticated: { status: 401, title: "Not signed in", detail: "Sign in first.", retry: false },
  forbidden: { status: 403, title: "Not permitted", detail: "", retry: false },
  notFound: { status: 404, title: "Not found", detail: "There is nothing at this address.", retry: false },
  notAllowedNow: { status: 409, ironicStatus: 400, title: "Not possible now", detail: "", retry: true },
  conflict: { status: 409, title: "Conflict", detail: "", retry: true },
  /** Requested but not applied: another person has to approve it first (docs/adr/0112-policy-changes-by-two-people.md). */
  awaitsApproval: { status: 409, title: "Waits for approval", detail: "", retry: false },
  tooMany: { status: 429, title: "Too many requests", detail: "Wait a moment.", retry: true },
  unavailable: {
    status: 503,
    title: "Not available",
    detail: "The database cannot be reached. Retry the request.",
    retry: true,
  },
  internal: {
    status: 500,
    title: "Server error",
    detail: "The request failed. It is safe to retry.",
    retry: true,
  },
} as const satisfies Record<string, ProblemRow>;

/** Why a call by a machine was refused: by an agent, a booting host, a network controller or a repair system. */
const refusals = {
  unauthorized: {
    status: 401,
    retry: false,
    title: "Not known",
    detail: "The bearer token is missing, wrong or has expired.",
  },
  foreignSource: {
    status: 403,
    retry: false,
    title: "Another source",
    detail: "The token is bound to another source.",
  },
  /** The status is 401, because an agent that gets it must end: nothing that it sends from there will be accepted. */
  addressChanged: {
    status: 401,
    retry: false,
    title: "Another address",
    detail:
      "The token belongs to another network address than this request comes from. Only a new boot issues another: restart the host, and keep its address the same during one boot.",
  },
  ambiguousMachine: {
    status: 409,
    retry: false,
    title: "Several hosts",
    detail:
      "The UUID and MAC address of the request name several hosts. Correct the ports or the UUID of the host that has them wrongly.",
  },
  bootTokenUsed: {
    status: 409,
    retry: false,
    title: "Boot token used",
    detail: "The boot token and its session have already been used. Only a new boot issues another.",
  },
  bootNotRestarted: {
    status: 409,
    retry: false,
    title: "Too early",
    detail: "The restart for this boot is not complete. Nothing that ran before it is served.",
  },
  bootContested: {
    status: 409,
    retry: false,
    title: "Contested boot",
    detail:
      "Something requested a token too early in this boot or from a second address, or a second agent registered. Only a new boot is served.",
  },
  identityConflict: {
    status: 409,
    retry: false,
    title: "Identity conflict",
    detail: "This identity may not register in this boot.",
  },
  registeredMeanwhile: {
    status: 409,
    retry: true,
    title: "Another registration is in progress",
    detail: "Several registrations arrived at the same time, and one was accepted. This one changed nothing.",
  },
  unknownAttempt: {
    status: 404,
    retry: false,
    title: "No such attempt",
    detail: "This session has no such step run or attempt.",
  },
  attemptOver: {
    status: 409,
    retry: false,
    title: "Attempt ended",
    detail: "The attempt is not running. The report changed nothing.",
  },
  outOfOrder: {
    status: 409,
    retry: false,
    title: "Out of order",
    detail: "A newer report of this attempt has been stored. This one changed nothing.",
  },
  differentReport: {
    status: 409,
    retry: false,
    title: "Result already stored",
    detail: "This attempt already has a different result. The first one stays.",
  },
  journalFull: {
    status: 413,
    retry: false,
    title: "Journal full",
    detail: "The journal of this attempt has reached its maximum size. The report changed nothing.",
  },
  notAsked: {
    status: 409,
    retry: false,
    title: "Not requested",
    detail: "This is not what the host was last asked to do. Nothing was stored.",
  },
  attestationOver: {
    status: 409,
    retry: false,
    title: "Not the newest boot",
    detail: "This boot is over or contested, or has proven an identity already. Nothing was stored.",
  },
  quoteWrong: {
    status: 409,
    retry: false,
    title: "Wrong quote",
    detail:
      "This is no quote of this boot by the key that its TPM has proven. The boot counts as not measured.",
  },
  credentialWrong: {
    status: 409,
    retry: false,
    title: "Wrong secret",
    detail: "This is not the secret of the credential that was made for this boot. Nothing was stored.",
  },
  /** Only recorded: the agent is answered. */
  endorsementKeyChanged: {
    status: 409,
    retry: false,
    title: "Endorsement key changed",
    detail: "The endorsement key is not the one that counts as the host's.",
  },
  unknownHost: {
    status: 404,
    retry: false,
    title: "No such host",
    detail: "The site of this token has no such host.",
  },
  hostNotLeasable: {
    status: 409,
    retry: true,
    title: "Cannot be leased now",
    detail: "The host cannot be leased now. Nothing was written.",
  },
  leaseRefused: {
    status: 409,
    retry: false,
    title: "Lease not in force",
    detail: "The lease is not in force. Nothing was written.",
  },
  networkNotWanted: {
    status: 409,
    retry: false,
    title: "Not the wanted network",
    detail: "Another version, configuration or interface is wanted. Nothing was stored.",
  },
} as const satisfies Record<string, ProblemRow>;

/** What is wrong with a request before its content is considered. */
const unreadableRequests = {
  malformed: { status: 400, title: "Malformed body", detail: "The body is not valid JSON.", retry: false },
  noBootWindow: {
    status: 404,
    title: "No boot window",
    detail: "No boot is expected. Boot from disk.",
    retry: true,
  },
  tooSlow: {
    status: 408,
    title: "Too slow",
    detail: "The body did not arrive in time. Retry the request.",
    retry: true,
  },
  tooLarge: {
    status: 413,
    title: "Too large",
    detail: "The body is larger than this address accepts.",
    retry: false,
  },
  unsupportedType: {
    status: 415,
    title: "Unsupported type",
    detail: "The body must be application/json, not encoded.",
    retry: false,
  },
} as const satisfies Record<string, ProblemRow>;

export type ProblemCode = keyof typeof refusedRequests;
export type RefusalCode = keyof typeof refusals;
/** All codes of all APIs. */
export type AnyProblemCode = ProblemCode | RefusalCode | keyof typeof unreadableRequests;

export const problems: Readonly<Record<AnyProblemCode, ProblemRow>> = {
  ...refusedRequests,
  ...refusals,
  ...unreadableRequests,
};

const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(refusedRequests, code);

/** The codes of use cases. */
export const problemCodes: readonly ProblemCode[] = Object.keys(refusedRequests).filter(isProblemCode);

/** The HTTP status with which Ironic's API answers a problem. */
export const ironicStatus = (code: ProblemCode): number =>
  problems[code].ironicStatus ?? problems[code].status;

/** RFC 9457. `type` is stable; `code` repeats its last segment for programs that switch on it. */
export function describeProblem<Code extends AnyProblemCode>(code: Code, detail: string | undefined) {
  const row = problems[code];
  return {
    type: `urn:reclaim:problem:${code}`,
    title: row.title,
    status: row.status,
    detail: detail ?? row.detail,
    code,
  };
}
