// `GET /v1/nodes/{ident}/states`: only a node's states (docs/api-ironic.md#nodes-reading).
import type { FastifyInstance } from "fastify";
import { ironicRequest, type IronicDeps } from "@/server/surfaces/machine/ironic/deps";
import { identOf, nodeText } from "@/server/surfaces/machine/ironic/nodes/find-node";
import { nodePath } from "@/server/surfaces/machine/ironic/nodes/node-routes";
import { readQuery } from "@/server/surfaces/machine/ironic/wire/query";

const stateFields = [
  "power_state",
  "target_power_state",
  "provision_state",
  "target_provision_state",
  "provision_updated_at",
  "last_error",
  "console_enabled",
  "raid_config",
  "target_raid_config",
  "boot_mode",
  "secure_boot",
] as const;

export function statesRoute(app: FastifyInstance, deps: IronicDeps): void {
  app.get("/nodes/:ident/states", async (request, reply) => {
    const { actor, version } = ironicRequest(request);
    readQuery(request, []);
    const ident = identOf(actor, nodePath.parse(request.params).ident, version);
    return reply.type("application/json").send(await nodeText(deps, ident, version, stateFields));
  });
}
