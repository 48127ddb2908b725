// Who asks, and in which request: the first argument of every use case.
import type { Asker } from "@/server/domain/access/access";
import type { AuditEvent } from "@/server/db/audit";
import type { IntentActor } from "@/server/domain/lifecycle/signals";

export interface Actor extends Asker {
  readonly kind: "person" | "token";
  readonly name: string;
  readonly email: string;
  /** The organisation that the NICo surface has in its paths; null for the provider's people. */
  readonly org: string | null;
  /** May claim one exact host (`targetedInstanceCreation`). */
  readonly targeted: boolean;
}

export interface Request {
  readonly requestId: string;
  /** The caller's network address; null inside the process. */
  readonly address: string | null;
}

export const auditActor = (actor: Actor): AuditEvent["actor"] => ({ kind: actor.kind, id: actor.personId, name: actor.name });

export const intentActor = (actor: Actor, request: Request): IntentActor => ({ personId: actor.personId, name: actor.name, requestId: request.requestId });
