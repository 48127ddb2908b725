// `PUT /v1/nodes/{ident}/states/power` (docs/api-ironic.md#power-state).
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { PowerIntent } from "@/server/domain/lifecycle/signals";
import { hostIntentActs } from "@/server/usecases/hosts/acts/host-intent-acts";
import { ironicRequest, sendAccepted, type IronicDeps } from "@/server/surfaces/machine/ironic/deps";
import { findStanding } from "@/server/surfaces/machine/ironic/nodes/find-node";
import { nodePath } from "@/server/surfaces/machine/ironic/nodes/node-routes";
import { notInState } from "@/server/surfaces/machine/ironic/states/refusals";
import { readBody } from "@/server/surfaces/machine/ironic/wire/body";
import { fault, faultOfProblem } from "@/server/surfaces/machine/ironic/wire/errors";
import { readQuery } from "@/server/surfaces/machine/ironic/wire/query";

/** `timeout` is checked and no more: how long a BMC is waited for is the controller's own. */
const body = z.strictObject({ target: z.string().min(1).max(64), timeout: z.int().min(1).nullish() });

/** Null: only with the help of the host's own system, which our BMC interface does not ask. */
const targets: Readonly<Record<string, PowerIntent | null>> = {
  "power on": "powerOn",
  "power off": "powerOff",
  rebooting: "reboot",
  "soft power off": null,
  "soft rebooting": null,
};
const softSince = 27;
const off = new Set(["power off", "soft power off"]);
/** Where Ironic says so with the state's name; elsewhere our own table refuses. */
const locked = new Set(["cleaning", "clean wait", "verifying"]);

export function powerRoutes(app: FastifyInstance, deps: IronicDeps): void {
  app.put("/nodes/:ident/states/power", async (request, reply) => {
    const asker = ironicRequest(request);
    const { ident } = nodePath.parse(request.params);
    readQuery(request, []);
    const { target, timeout } = readBody(request, body);
    const node = await findStanding(deps, asker, ident);
    const intent = Object.hasOwn(targets, target) ? targets[target] : undefined;
    if ((intent === null || timeout != null) && asker.version < softSince)
      throw fault(
        406,
        `Request not acceptable. Soft power and its timeout are not available before API version 1.${softSince}.`,
      );
    if (intent === undefined) throw fault(400, `The requested power action "${target}" is not known.`);
    if (locked.has(node.provision.state)) throw notInState(target, node);
    if (intent === null) throw fault(400, `Driver ${node.driver} does not support ${target}.`);
    if (node.keepOn && off.has(target)) throw fault(409, `Power off is disabled for node ${node.hostId}.`);
    if (!node.reachable)
      throw fault(
        400,
        `Node ${node.hostId} has no BMC to switch its power with: address, user name or password is missing in driver_info.`,
      );
    const act = hostIntentActs[intent].on(node.host);
    const done = await act(deps.backend, asker.actor, asker.facts, { hostId: node.hostId });
    if (!done.ok) throw faultOfProblem(done.problem);
    return sendAccepted(reply, deps, ident);
  });
}
