// The access check of use cases that only read.
import { decide, reachOf } from "@/server/domain/access/access";
import type { FleetScope, Right } from "@/server/domain/access/access";
import type { Actor } from "@/server/usecases/actor";
import { refused } from "@/server/usecases/problem";
import type { Problem } from "@/server/usecases/problem";

/** Whose rows a list may contain. */
export type Scope = FleetScope | { readonly kind: "tenant"; readonly tenantId: string };

/** The part of a list that an actor may read; a problem if none. */
export function scopeOf(
  actor: Actor,
  right: Right,
): { readonly ok: true; readonly value: Scope } | { readonly ok: false; readonly problem: Problem } {
  switch (reachOf(actor.role, right)) {
    case "any":
      return { ok: true, value: { kind: "all" } };
    case "own":
      if (actor.tenantId !== null) return { ok: true, value: { kind: "tenant", tenantId: actor.tenantId } };
      return refused("forbidden", `The role ${actor.role} belongs to no tenant.`);
    case "none":
      return refused("forbidden", `The role ${actor.role} may not do ${right}.`);
  }
}

/** Whether an actor may read one thing. Another tenant's gets the same answer as one that does not exist. */
export const mayRead = (
  actor: Actor,
  right: Right,
  tenantId: string | null,
): "allowed" | "forbidden" | "hidden" => decide(actor, right, { tenantId });
