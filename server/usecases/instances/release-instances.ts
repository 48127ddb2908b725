// Several releases in one request, each its own act with its own result.
import type { z } from "zod";
import type { instances as contract } from "@/server/contract/instances/instances";
import { reachOf } from "@/server/domain/access/access";
import type { Actor, Request } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { auditRefusal } from "@/server/usecases/define-act";
import type { ReleaseResult } from "@/server/contract/instances/instances-answers";
import { releaseInstance } from "@/server/usecases/instances/release-instance";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

/** It may have been stored before the error; repeating it is safe. */
const unknownResult =
  "it is unknown whether the release was accepted because of a server error; retry, releasing twice is safe";

/**
 * Each instance is its own act, so a refusal or failure does not block the others. They share statements (docs/adr/0001-host-row-as-queue.md). A role
 * without the right is refused as a whole. Throws if all of them fail.
 * @param tell receives the failures, for the log
 */
export async function releaseInstances(
  backend: Backend,
  actor: Actor,
  request: Request,
  { ids, ...how }: z.input<typeof contract.release.input>,
  tell: (error: unknown) => void,
): Promise<Outcome<readonly ReleaseResult[]>> {
  const { action, right } = releaseInstance;
  if (reachOf(actor.role, right) === "none") {
    const forbidden = refused("forbidden", `The role ${actor.role} may not do ${action}.`);
    await auditRefusal(backend, actor, request, { action, targetId: null, problem: forbidden.problem });
    return forbidden;
  }
  const asked = [...new Set(ids)];
  const settled = await Promise.allSettled(
    asked.map((id) => releaseInstance(backend, actor, request, { instanceId: id, ...how })),
  );
  const failed = settled.flatMap((one) => (one.status === "rejected" ? [one] : []));
  const [first] = failed;
  if (first !== undefined && failed.length === settled.length) throw first.reason;
  for (const { reason } of failed) tell(reason);
  return done(
    asked.map((id, index): ReleaseResult => {
      const one = settled[index];
      return one?.status === "fulfilled"
        ? { id, ...inText(one.value) }
        : { id, ok: false, message: unknownResult };
    }),
  );
}

function inText(
  result: Outcome<{ readonly alreadyReleasing: boolean }>,
): Pick<ReleaseResult, "ok" | "message"> {
  if (!result.ok) return { ok: false, message: result.problem.detail };
  return {
    ok: true,
    message: result.value.alreadyReleasing ? "was already being released" : "release accepted",
  };
}
