// The host or reclamation that a request turned out to be about, for its log line.
import type { FastifyRequest } from "fastify";

export interface Subject {
  readonly hostId: string | null;
  readonly reclamationId: string | null;
}

const subjects = new WeakMap<FastifyRequest["raw"], Subject>();

export function setSubject(request: FastifyRequest, subject: Subject): void {
  subjects.set(request.raw, subject);
}

export function subjectOf(request: FastifyRequest): Subject | undefined {
  return subjects.get(request.raw);
}
