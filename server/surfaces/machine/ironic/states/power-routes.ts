// `PUT /v1/nodes/{ident}/states/power` (docs/api-ironic.md#power-state).
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { maxSoftMs, usualSoftMs } from "@/server/domain/lifecycle/signals";
import type { PowerIntent } from "@/server/domain/lifecycle/signals";
import {
  powerOffHost,
  powerOnHost,
  rebootHost,
  softPowerOffHost,
  softRebootHost,
} from "@/server/usecases/hosts/acts/switch-power";
import { ironicRequest, sendAccepted, type IronicDeps } from "@/server/surfaces/machine/ironic/deps";
import { findStanding } from "@/server/surfaces/machine/ironic/nodes/find-node";
import { nodePath } from "@/server/surfaces/machine/ironic/nodes/node-routes";
import { notInState } from "@/server/surfaces/machine/ironic/states/refusals";
import { readBody } from "@/server/surfaces/machine/ironic/wire/body";
import { fault, faultOfProblem } from "@/server/surfaces/machine/ironic/wire/errors";
import { readQuery } from "@/server/surfaces/machine/ironic/wire/query";

/** `timeout`: how long the host's operating system may take. The controller has its own timeout for the BMC. */
const body = z.strictObject({
  target: z.string().min(1).max(64),
  timeout: z.int().min(1).max(86_400).nullish(),
});

const targets: Readonly<Record<string, PowerIntent>> = {
  "power on": "powerOn",
  "power off": "powerOff",
  rebooting: "reboot",
  "soft power off": "softPowerOff",
  "soft rebooting": "softReboot",
};
const acts = {
  powerOn: powerOnHost,
  powerOff: powerOffHost,
  reboot: rebootHost,
  softPowerOff: softPowerOffHost,
  softReboot: softRebootHost,
} as const satisfies Record<PowerIntent, unknown>;
/** Targets that ask the host's operating system, through its BMC. */
const soft: ReadonlySet<string> = new Set(["soft power off", "soft rebooting"]);
const softSince = 27;
const off = new Set(["power off", "soft power off"]);
/** States in which Ironic itself refuses and names the state. In other states our own table decides. */
const locked = new Set(["cleaning", "clean wait", "inspecting", "inspect wait", "verifying"]);

export function powerRoutes(app: FastifyInstance, deps: IronicDeps): void {
  app.put("/nodes/:ident/states/power", async (request, reply) => {
    const asker = ironicRequest(request);
    const { ident } = nodePath.parse(request.params);
    readQuery(request, []);
    const { target, timeout } = readBody(request, body);
    const node = await findStanding(deps, asker, ident);
    const intent = Object.hasOwn(targets, target) ? targets[target] : undefined;
    if ((soft.has(target) || timeout != null) && asker.version < softSince)
      throw fault(
        406,
        `Request not acceptable. Soft power and its timeout are not available before API version 1.${softSince}.`,
      );
    if (intent === undefined) throw fault(400, `The requested power action "${target}" is not known.`);
    if (locked.has(node.provision.state))
      throw notInState(target, node, node.host.value.cleaning?.step ?? null);
    if (node.keepOn && off.has(target)) throw fault(409, `Power off is disabled for node ${node.hostId}.`);
    if (!node.reachable)
      throw fault(
        400,
        `Node ${node.hostId} has no BMC to switch its power with: address, user name or password is missing in driver_info.`,
      );
    // While it is unknown what the BMC supports, refuse as for one that cannot do it.
    if (soft.has(target) && !node.softPower)
      throw fault(
        400,
        `Driver ${node.driver} does not support ${target} (disabled or not implemented): the node's BMC offers no GracefulShutdown.`,
      );
    const softly = soft.has(target)
      ? { forMs: Math.min(timeout == null ? usualSoftMs : timeout * 1_000, maxSoftMs) }
      : {};
    const done = await acts[intent].on(node.host)(deps.backend, asker.actor, asker.facts, {
      hostId: node.hostId,
      ...softly,
    });
    if (!done.ok) throw faultOfProblem(done.problem);
    return sendAccepted(reply, deps, ident);
  });
}
