// Several releases asked for at once, each its own act with its own result.
import type { Actor, Request } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import type { ReleaseResult } from "@/server/usecases/instances/instance-shapes";
import { releaseInstance } from "@/server/usecases/instances/release-instance";

export async function releaseInstances(backend: Backend, actor: Actor, request: Request, ids: readonly string[]): Promise<readonly ReleaseResult[]> {
  const results: ReleaseResult[] = [];
  for (const id of new Set(ids)) {
    const result = await releaseInstance(backend, actor, request, { instanceId: id });
    results.push({ id, ok: result.ok, message: result.ok ? (result.value.alreadyReleasing ? "was being released already" : "release accepted") : result.problem.detail });
  }
  return results;
}
