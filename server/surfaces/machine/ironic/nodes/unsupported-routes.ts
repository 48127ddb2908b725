// What a node's interfaces do not do here: answered as Ironic answers for an interface that does not support it, and nothing is stored.
import type { FastifyInstance } from "fastify";
import { ironicRequest, since, type IronicDeps } from "@/server/surfaces/machine/ironic/deps";
import { findNode } from "@/server/surfaces/machine/ironic/nodes/find-node";
import { nodePath } from "@/server/surfaces/machine/ironic/nodes/node-routes";
import { fault } from "@/server/surfaces/machine/ironic/wire/errors";
import type { Microversion } from "@/server/surfaces/machine/ironic/wire/version";

interface Row {
  readonly method: "PUT" | "POST" | "DELETE";
  readonly path: string;
  readonly since: Microversion;
  /** Ironic's name of the missing method. */
  readonly what: string;
}

const rows: readonly Row[] = [
  { method: "PUT", path: "management/boot_device", since: 6, what: "set_boot_device" },
  { method: "PUT", path: "management/inject_nmi", since: 29, what: "inject_nmi" },
  { method: "PUT", path: "management/indicators/:indicator", since: 63, what: "set_indicator_state" },
  { method: "PUT", path: "states/raid", since: 12, what: "set_raid_config" },
  { method: "PUT", path: "states/boot_mode", since: 76, what: "set_boot_mode" },
  { method: "PUT", path: "states/secure_boot", since: 76, what: "set_secure_boot_state" },
  { method: "PUT", path: "states/console", since: 1, what: "console" },
  { method: "POST", path: "vifs", since: 28, what: "vif_attach" },
  { method: "DELETE", path: "vifs/:vif", since: 28, what: "vif_detach" },
];

export function unsupportedRoutes(app: FastifyInstance, deps: IronicDeps): void {
  for (const row of rows) {
    app.route({
      method: row.method,
      url: `/nodes/:ident/${row.path}`,
      ...since(row.since),
      handler: async (request) => {
        const { actor, version } = ironicRequest(request);
        const { hostId } = await findNode(deps, actor, nodePath.parse(request.params).ident, version);
        throw fault(400, `Node ${hostId} does not support ${row.what} (disabled or not implemented).`);
      },
    });
  }
  app.route({
    method: ["GET", "POST", "PUT", "DELETE"],
    url: "/nodes/:ident/vendor_passthru/:method",
    handler: async (request) => {
      const { actor, version } = ironicRequest(request);
      const { hostId } = await findNode(deps, actor, nodePath.parse(request.params).ident, version);
      throw fault(400, `Node ${hostId} does not support vendor_passthru (disabled or not implemented).`);
    },
  });
}
