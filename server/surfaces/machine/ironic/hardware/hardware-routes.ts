// What is below a node about its hardware: inventory, firmware, BIOS settings, boot device, console, VIFs, vendor methods (docs/api-ironic.md#nodes-reading).
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { FoundNode } from "@/server/usecases/nodes/reading/find-node";
import { readNodeFirmware, readNodeInventory } from "@/server/usecases/nodes/reading/node-hardware";
import { ironicRequest, since, type IronicDeps } from "@/server/surfaces/machine/ironic/deps";
import { inventoryView } from "@/server/surfaces/machine/ironic/hardware/inventory-view";
import { findNode } from "@/server/surfaces/machine/ironic/nodes/find-node";
import { nodePath } from "@/server/surfaces/machine/ironic/nodes/node-routes";
import { fault } from "@/server/surfaces/machine/ironic/wire/errors";
import { readQuery } from "@/server/surfaces/machine/ironic/wire/query";

const settingPath = z.object({ ident: z.string(), setting: z.string() });

/** What nobody has read, and so nobody knows. */
const nothing = {
  /** Reclaim writes settings that a SKU wants, and keeps none that it read. */
  bios: { bios: [] },
  vifs: { vifs: [] },
  bootDevice: { boot_device: null, persistent: null },
  console: { console_enabled: false, console_info: null },
} as const;

export function hardwareRoutes(app: FastifyInstance, deps: IronicDeps): void {
  const nodeOf = async (
    request: FastifyRequest,
    queryArguments: readonly string[] = [],
  ): Promise<FoundNode> => {
    const { actor, version } = ironicRequest(request);
    readQuery(request, queryArguments);
    return findNode(deps, actor, nodePath.parse(request.params).ident, version);
  };

  app.get("/nodes/:ident/inventory", since(81), async (request, reply) => {
    const node = await nodeOf(request);
    const inventory = await readNodeInventory(deps.pool, node.hostId);
    if (inventory === null)
      throw fault(404, `Inspection inventory for node ${node.hostId} could not be found.`);
    return reply.send({ inventory: inventoryView(inventory), plugin_data: {} });
  });

  app.get("/nodes/:ident/firmware", since(86), async (request, reply) => {
    const { hostId } = await nodeOf(request);
    const components = await readNodeFirmware(deps.pool, hostId);
    // Only the newest version is kept: which was the first, and which was flashed last, is not known.
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
  });

  app.get("/nodes/:ident/bios", since(40), async (request, reply) => {
    await nodeOf(request, ["detail", "fields"]);
    return reply.send(nothing.bios);
  });
  app.get("/nodes/:ident/bios/:setting", since(40), async (request) => {
    const node = await nodeOf(request);
    throw fault(
      404,
      `Node ${node.hostId} doesn't have a BIOS setting '${settingPath.parse(request.params).setting.slice(0, 100)}'`,
    );
  });

  app.get("/nodes/:ident/vifs", since(28), async (request, reply) => {
    await nodeOf(request);
    return reply.send(nothing.vifs);
  });
  app.get("/nodes/:ident/vendor_passthru/methods", async (request, reply) => {
    await nodeOf(request);
    return reply.send({});
  });
  app.get("/nodes/:ident/management/boot_device", async (request, reply) => {
    await nodeOf(request);
    return reply.send(nothing.bootDevice);
  });
  // The boot device is the controller's own: there is none that a client may set.
  app.get("/nodes/:ident/management/boot_device/supported", async (request, reply) => {
    await nodeOf(request);
    return reply.send({ supported_boot_devices: [] });
  });
  app.get("/nodes/:ident/states/console", async (request, reply) => {
    await nodeOf(request);
    return reply.send(nothing.console);
  });
}
