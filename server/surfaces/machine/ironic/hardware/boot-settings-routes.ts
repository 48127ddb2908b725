// A node's boot settings: boot device, boot mode, secure boot, and an NMI (docs/api-ironic.md#boot-device-boot-mode-secure-boot-nmi).
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { bootDevices, bootModes, knownBootSettings, notOffered } from "@/server/domain/hosts/boot-settings";
import type { BootChange } from "@/server/domain/hosts/boot-settings";
import { setBoot } from "@/server/usecases/hosts/acts/set-boot";
import { injectNmi } from "@/server/usecases/hosts/acts/switch-power";
import type { NodeState } from "@/server/usecases/hosts/nodes/reading/node-state";
import { ironicRequest, sendAccepted, since, type IronicDeps } from "@/server/surfaces/machine/ironic/deps";
import { driverOf } from "@/server/surfaces/machine/ironic/drivers/driver-table";
import { findStanding } from "@/server/surfaces/machine/ironic/nodes/find-node";
import { nodePath } from "@/server/surfaces/machine/ironic/nodes/node-routes";
import { notInState } from "@/server/surfaces/machine/ironic/states/refusals";
import { bodyOf, readBody } from "@/server/surfaces/machine/ironic/wire/body";
import { fault, faultOfProblem, type IronicFault } from "@/server/surfaces/machine/ironic/wire/errors";
import { readQuery } from "@/server/surfaces/machine/ironic/wire/query";
import { flagOf } from "@/server/surfaces/machine/ironic/wire/schema";

const word = z.string().min(1).max(64);
const deviceBody = z.strictObject({ boot_device: word, persistent: flagOf.default(false) });
const modeBody = z.strictObject({ target: word });
const emptyBody = z.strictObject({});
const secureBody = z.strictObject({ target: flagOf });

/** States in which Ironic itself refuses and names the state. In other states our own table decides. */
const locked = new Set(["cleaning", "clean wait", "inspecting", "inspect wait", "verifying"]);

/** Ironic's answer for what a node's BMC does not offer. */
const unsupported = ({ driver }: Pick<NodeState, "driver">, method: string, why: string): IronicFault =>
  fault(
    400,
    `Driver ${driverOf(driver)?.name ?? driver} does not support ${method} (disabled or not implemented): ${why}.`,
  );

/** The node, if it can be asked for this at all. Throws Ironic's faults. */
async function asked(deps: IronicDeps, request: FastifyRequest, method: string): Promise<NodeState> {
  const { ident } = nodePath.parse(request.params);
  readQuery(request, []);
  const node = await findStanding(deps, ironicRequest(request), ident);
  if (node.driver === "fake") throw unsupported(node, method, "nothing stands behind the node");
  if (!node.reachable)
    throw fault(
      400,
      `Node ${node.hostId} has no BMC to ask: address, user name or password is missing in driver_info.`,
    );
  return node;
}

async function change(
  deps: IronicDeps,
  request: FastifyRequest,
  wanted: { readonly node: NodeState; readonly method: string; readonly change: BootChange },
): Promise<void> {
  const { node, method } = wanted;
  const { actor, facts } = ironicRequest(request);
  const missing = notOffered(wanted.change, knownBootSettings(node.storedBoot));
  if (missing !== null) throw unsupported(node, method, missing);
  if (locked.has(node.provision.state)) throw notInState(method, node);
  const done = await setBoot(deps.backend, actor, facts, { hostId: node.hostId, ...wanted.change });
  if (!done.ok) throw faultOfProblem(done.problem);
}

export function bootSettingsRoutes(app: FastifyInstance, deps: IronicDeps): void {
  app.get("/nodes/:ident/management/boot_device", async (request, reply) => {
    const settings = knownBootSettings((await readAt(deps, request)).storedBoot);
    const device = settings?.device ?? null;
    return reply.send({ boot_device: device, persistent: device === null ? null : settings?.persistent });
  });
  app.get("/nodes/:ident/management/boot_device/supported", async (request, reply) => {
    const node = await readAt(deps, request);
    const settings = knownBootSettings(node.storedBoot);
    const offered = settings === null ? [] : (settings.devices ?? bootDevices);
    return reply.send({ supported_boot_devices: offered });
  });
  app.put("/nodes/:ident/management/boot_device", since(6), async (request, reply) => {
    const node = await asked(deps, request, "set_boot_device");
    const { boot_device: given, persistent } = readBody(request, deviceBody);
    const device = bootDevices.find((name) => name === given);
    if (device === undefined) throw fault(400, `Invalid boot device ${given} specified.`);
    await change(deps, request, { node, method: "set_boot_device", change: { device, persistent } });
    return reply.code(204).send();
  });
  app.put("/nodes/:ident/states/boot_mode", since(76), async (request, reply) => {
    const node = await asked(deps, request, "set_boot_mode");
    const { target } = readBody(request, modeBody);
    const mode = bootModes.find((name) => name === target);
    if (mode === undefined) throw fault(400, `Invalid boot mode ${target} specified.`);
    await change(deps, request, { node, method: "set_boot_mode", change: { mode } });
    return sendAccepted(reply, deps, node.hostId);
  });
  app.put("/nodes/:ident/states/secure_boot", since(76), async (request, reply) => {
    const node = await asked(deps, request, "set_secure_boot_state");
    const { target } = readBody(request, secureBody);
    await change(deps, request, { node, method: "set_secure_boot_state", change: { secureBoot: target } });
    return sendAccepted(reply, deps, node.hostId);
  });
  app.put("/nodes/:ident/management/inject_nmi", since(29), async (request, reply) => {
    const node = await asked(deps, request, "inject_nmi");
    if (bodyOf(request) !== undefined) readBody(request, emptyBody);
    const { actor, facts } = ironicRequest(request);
    if (!node.nmi) throw unsupported(node, "inject_nmi", "the node's BMC offers no Nmi");
    if (locked.has(node.provision.state)) throw notInState("inject_nmi", node);
    const done = await injectNmi(deps.backend, actor, facts, { hostId: node.hostId });
    if (!done.ok) throw faultOfProblem(done.problem);
    return reply.code(204).send();
  });
}

const readAt = (deps: IronicDeps, request: FastifyRequest): Promise<NodeState> => {
  readQuery(request, []);
  return findStanding(deps, ironicRequest(request), nodePath.parse(request.params).ident);
};
