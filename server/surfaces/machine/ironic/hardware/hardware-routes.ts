// What Ironic has below a node about its hardware: inventory, firmware, BIOS settings, console, VIFs, vendor methods (docs/api-ironic.md#nodes-reading).
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { FoundNode } from "@/server/usecases/hosts/nodes/reading/find-node";
import { readNodeFirmware, readNodeInventory } from "@/server/usecases/hosts/nodes/reading/node-hardware";
import {
  handlersOn,
  ironicRequest,
  since,
  type IronicDeps,
  type IronicHandler,
} from "@/server/surfaces/machine/ironic/deps";
import { inventoryView } from "@/server/surfaces/machine/ironic/hardware/inventory-view";
import { findNode } from "@/server/surfaces/machine/ironic/nodes/find-node";
import { nodePath } from "@/server/surfaces/machine/ironic/nodes/node-routes";
import { fault } from "@/server/surfaces/machine/ironic/wire/errors";
import { readQuery } from "@/server/surfaces/machine/ironic/wire/query";

const settingPath = z.object({ ident: z.string(), setting: z.string() });

/** Answers for what Reclaim does not read, or does not have. */
const nothing = {
  /** Reclaim writes the settings that a SKU wants, and stores none that it read. */
  bios: { bios: [] },
  vifs: { vifs: [] },
  console: { console_enabled: false, console_info: null },
  vendorMethods: {},
} as const;

async function nodeOf(
  deps: IronicDeps,
  request: FastifyRequest,
  queryArguments: readonly string[] = [],
): Promise<FoundNode> {
  const { actor, version } = ironicRequest(request);
  readQuery(request, queryArguments);
  return findNode(deps, actor, nodePath.parse(request.params).ident, version);
}

/** The same answer for every existing node. */
const always =
  (answer: object, queryArguments: readonly string[] = []): IronicHandler =>
  async (deps, request, reply) => {
    await nodeOf(deps, request, queryArguments);
    return reply.send(answer);
  };

const inventory: IronicHandler = async (deps, request, reply) => {
  const node = await nodeOf(deps, request);
  const found = await readNodeInventory(deps.pool, node.hostId);
  if (found === null) throw fault(404, `Inspection inventory for node ${node.hostId} could not be found.`);
  return reply.send({ inventory: inventoryView(found), plugin_data: {} });
};

const firmware: IronicHandler = async (deps, request, reply) => {
  const { hostId } = await nodeOf(deps, request);
  const components = await readNodeFirmware(deps.pool, hostId);
  // Only the newest version is stored. The first one, and the one flashed last, are unknown.
  return reply.send({
    firmware: components.map(({ component, version, readAt }) => ({
      component,
      initial_version: null,
      current_version: version,
      last_version_flashed: null,
      created_at: readAt,
      updated_at: null,
    })),
  });
};

const biosSetting: IronicHandler = async (deps, request) => {
  const node = await nodeOf(deps, request);
  const { setting } = settingPath.parse(request.params);
  throw fault(404, `Node ${node.hostId} doesn't have a BIOS setting '${setting.slice(0, 100)}'`);
};

export function hardwareRoutes(app: FastifyInstance, deps: IronicDeps): void {
  const on = handlersOn(deps);
  app.get("/nodes/:ident/inventory", since(81), on(inventory));
  app.get("/nodes/:ident/firmware", since(86), on(firmware));
  app.get("/nodes/:ident/bios", since(40), on(always(nothing.bios, ["detail", "fields"])));
  app.get("/nodes/:ident/bios/:setting", since(40), on(biosSetting));
  app.get("/nodes/:ident/vifs", since(28), on(always(nothing.vifs)));
  app.get("/nodes/:ident/vendor_passthru/methods", on(always(nothing.vendorMethods)));
  app.get("/nodes/:ident/states/console", on(always(nothing.console)));
}
