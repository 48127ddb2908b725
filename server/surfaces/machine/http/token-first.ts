// Looks at the token before the body is received, so that nobody without one makes the process hold a body.
import type { FastifyRequest } from "fastify";
import { bearerToken } from "@/server/domain/access/tokens";
import { hasBody } from "@/server/surfaces/http/linger";

/** The code is one of failures.ts. */
class NoTokenError extends Error {
  override readonly name = "NoTokenError";
  readonly code = "NO_TOKEN";
}

/** Shorter bodies are received with any token, and judged together with it in one statement. */
const smallBodyBytes = 16 * 1024;

/** An `onRequest` hook. @param knows looks the token up; asked only before a body that is long, or whose length is not declared */
export const tokenFirst =
  (knows: (token: string, request: FastifyRequest) => Promise<boolean>) =>
  async (request: FastifyRequest): Promise<void> => {
    if (!hasBody(request.raw)) return;
    const token = bearerToken(request.headers.authorization);
    if (token === null) throw new NoTokenError();
    const declared = request.headers["content-length"];
    if (declared !== undefined && Number(declared) <= smallBodyBytes) return;
    // safety: body: a long one is received only from somebody known
    if (!(await knows(token, request))) throw new NoTokenError();
  };
