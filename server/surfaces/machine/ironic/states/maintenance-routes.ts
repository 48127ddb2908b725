// `PUT` and `DELETE /v1/nodes/{ident}/maintenance`: idempotent; DELETE also clears the fault (docs/api-ironic.md#maintenance).
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { clearMaintenance } from "@/server/usecases/hosts/maintenance/clear-maintenance";
import { setMaintenance } from "@/server/usecases/hosts/maintenance/set-maintenance";
import { ironicRequest, type IronicDeps } from "@/server/surfaces/machine/ironic/deps";
import { findNode } from "@/server/surfaces/machine/ironic/nodes/find-node";
import { nodePath } from "@/server/surfaces/machine/ironic/nodes/node-routes";
import { bodyOf, readBody } from "@/server/surfaces/machine/ironic/wire/body";
import { faultOfProblem } from "@/server/surfaces/machine/ironic/wire/errors";
import { readQuery } from "@/server/surfaces/machine/ironic/wire/query";

const body = z.strictObject({ reason: z.string().max(500).nullish() });

export function maintenanceRoutes(app: FastifyInstance, deps: IronicDeps): void {
  app.put("/nodes/:ident/maintenance", async (request, reply) => {
    const { actor, version, facts } = ironicRequest(request);
    readQuery(request, []);
    const given = bodyOf(request) === undefined ? null : (readBody(request, body).reason?.trim() ?? null);
    const { hostId } = await findNode(deps, actor, nodePath.parse(request.params).ident, version);
    // Ironic's client does not require a reason, so ours is who did it.
    const done = await setMaintenance(deps.backend, actor, facts, {
      hostId,
      reason: given === null || given === "" ? `set by ${actor.name}` : given,
    });
    if (!done.ok) throw faultOfProblem(done.problem);
    return reply.code(202).send();
  });

  app.delete("/nodes/:ident/maintenance", async (request, reply) => {
    const { actor, version, facts } = ironicRequest(request);
    readQuery(request, []);
    const { hostId } = await findNode(deps, actor, nodePath.parse(request.params).ident, version);
    const done = await clearMaintenance(deps.backend, actor, facts, { hostId, ofFailure: true });
    if (!done.ok) throw faultOfProblem(done.problem);
    return reply.code(202).send();
  });
}
