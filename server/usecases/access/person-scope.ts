// Whose tokens or sessions a list may contain.
import { decide, reachOf } from "@/server/domain/access/access";
import type { Right } from "@/server/domain/access/access";
import type { Actor } from "@/server/usecases/actor";
import { done, notFound, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

/** The one person whose rows may be read; null for everybody's. @param wanted if omitted: everybody's if the caller may read them, else the caller's own */
export function personScope(actor: Actor, right: Right, wanted: string | undefined): Outcome<string | null> {
  if (wanted === undefined) return done(reachOf(actor.role, right) === "any" ? null : actor.personId);
  switch (decide(actor, right, { tenantId: null, personId: wanted })) {
    case "allowed":
      return done(wanted);
    case "hidden":
      return notFound("person", wanted);
    case "forbidden":
      return refused("forbidden", `The role ${actor.role} may not do ${right}.`);
  }
}
