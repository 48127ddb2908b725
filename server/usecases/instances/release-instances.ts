// Several releases asked for at once, each its own act with its own result.
import { reachOf } from "@/server/domain/access/access";
import type { Actor, Request } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { auditRefusal } from "@/server/usecases/define-act";
import type { ReleaseResult } from "@/server/contract/answers/instances";
import { releaseInstance } from "@/server/usecases/instances/release-instance";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

/** Each instance is its own act: one that refuses holds up no other. A role that may never release is refused as a whole. */
export async function releaseInstances(
  backend: Backend,
  actor: Actor,
  request: Request,
  ids: readonly string[],
): Promise<Outcome<readonly ReleaseResult[]>> {
  const { action, right } = releaseInstance;
  if (reachOf(actor.role, right) === "none") {
    const forbidden = refused("forbidden", `The role ${actor.role} may not do ${action}.`);
    await auditRefusal(backend, actor, request, { action, targetId: null, problem: forbidden.problem });
    return forbidden;
  }
  const results: ReleaseResult[] = [];
  for (const id of new Set(ids)) {
    const result = await releaseInstance(backend, actor, request, { instanceId: id });
    results.push({
      id,
      ok: result.ok,
      message: result.ok
        ? result.value.alreadyReleasing
          ? "was being released already"
          : "release accepted"
        : result.problem.detail,
    });
  }
  return done(results);
}
