// tRPC with our problems in its errors, and two kinds of procedure: those that read and those that change something.
import { initTRPC, TRPCError } from "@trpc/server";
import superjson from "superjson";
import { ZodError } from "zod";
import type { ProblemCode } from "@/server/domain/problems";
import type { Operation } from "@/server/contract/define";
import type { Actor } from "@/server/usecases/actor";
import { outageProblem, unreadableProblem } from "@/server/usecases/database/database-problems";
import { inputProblem, problemDocument } from "@/server/usecases/problem";
import type { Outcome, Problem } from "@/server/usecases/problem";
import type { Context } from "@/server/surfaces/trpc/context";

/** Carries a problem through tRPC. */
class ProblemError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail);
  }
}

const trpcCodes = {
  invalid: "BAD_REQUEST",
  unauthenticated: "UNAUTHORIZED",
  forbidden: "FORBIDDEN",
  notFound: "NOT_FOUND",
  notAllowedNow: "CONFLICT",
  conflict: "CONFLICT",
  awaitsApproval: "CONFLICT",
  tooMany: "TOO_MANY_REQUESTS",
  unavailable: "SERVICE_UNAVAILABLE",
  internal: "INTERNAL_SERVER_ERROR",
} as const satisfies Record<ProblemCode, TRPCError["code"]>;

function raise(problem: Problem): never {
  throw new TRPCError({
    code: trpcCodes[problem.code],
    message: problem.detail,
    cause: new ProblemError(problem),
  });
}

/** The value of a use case's outcome; a problem becomes the error of the answer. */
export function answered<T>(
  { backend }: Pick<Context, "backend">,
  { output }: Operation,
  outcome: Outcome<T>,
): T {
  if (!outcome.ok) return raise(outcome.problem);
  // Takes time with every answer, so only tests switch it on.
  if (backend.config.checkAnswers) output.parse(outcome.value);
  return outcome.value;
}

const statusCodes: Readonly<Record<string, ProblemCode>> = {
  BAD_REQUEST: "invalid",
  PARSE_ERROR: "invalid",
  METHOD_NOT_SUPPORTED: "invalid",
  PAYLOAD_TOO_LARGE: "invalid",
  UNSUPPORTED_MEDIA_TYPE: "invalid",
  UNAUTHORIZED: "unauthenticated",
  FORBIDDEN: "forbidden",
};

/** What went wrong, without internals. */
function problemOf(error: TRPCError): Problem {
  const { cause } = error;
  if (cause instanceof ProblemError) return cause.problem;
  // Input is parsed before the procedure. A schema error inside the procedure is our own.
  if (cause instanceof ZodError && error.code === "BAD_REQUEST") return inputProblem(cause);
  // Problems found by use cases have a cause. Without one, the procedure does not exist.
  if (error.code === "NOT_FOUND")
    return { code: "notFound", detail: "There is no such procedure.", field: "procedure" };
  const ours = outageProblem(cause) ?? unreadableProblem(cause);
  if (ours !== null) return ours;
  const code = statusCodes[error.code] ?? "internal";
  return {
    code,
    detail:
      code === "internal"
        ? "The server failed; as far as known, nothing was changed. Look up the request id in the server's log."
        : "The request is not valid.",
  };
}

const t = initTRPC.context<Context>().create({
  transformer: superjson,
  errorFormatter: ({ shape, error, ctx }) => {
    const problem = problemDocument(problemOf(error), ctx?.request.requestId ?? "");
    // Never `shape.message`, `data.stack` or `data.path`: they may contain what the problem leaves out.
    return {
      code: shape.code,
      message: problem.detail,
      data: { code: shape.data.code, httpStatus: problem.status, problem },
    };
  },
});

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

const signedIn = t.procedure.use(({ ctx, next }) => {
  const { actor } = ctx;
  if (actor === null) return raise({ code: "unauthenticated", detail: "Sign in first." });
  if (!ctx.backend.rate.take(actor.personId, performance.now()))
    return raise({ code: "tooMany", detail: "Too many requests at once. Wait a moment." });
  return next({ ctx: { ...ctx, actor } satisfies Context & { actor: Actor } });
});

/** For queries. */
export const reading = signedIn;

/** For mutations. With a cookie they are accepted only from our own pages. */
export const changing = signedIn.use(({ ctx, next }) =>
  ctx.deliberate
    ? next()
    : raise({ code: "forbidden", detail: "The request does not come from a page of this console." }),
);
