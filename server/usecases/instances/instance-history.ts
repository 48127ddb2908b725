// What a tenant saw of an instance, in order; still readable after its end.
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { getInstance } from "@/server/usecases/instances/list-instances";
import type { InstanceHistoryLine } from "@/server/contract/instances/instances-answers";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

const most = 1000;

export async function instanceHistory(
  backend: Backend,
  actor: Actor,
  query: { readonly id: string },
): Promise<Outcome<readonly InstanceHistoryLine[]>> {
  const instance = await getInstance(backend, actor, query);
  if (!instance.ok) return instance;
  return done(
    await backend.database.instanceStatusHistory.findMany({
      where: { instanceId: instance.value.id },
      orderBy: { id: "asc" },
      take: most,
      select: { status: true, message: true, at: true },
    }),
  );
}
