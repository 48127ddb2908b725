// `PUT /v1/nodes/{ident}/states/provision`: Ironic's verbs, in Ironic's order of checks (docs/api-ironic.md#provision-state).
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { findRunbookId } from "@/server/usecases/cleaning/runbooks/find-runbook";
import { startCleaningAsIronic } from "@/server/usecases/cleaning/start-cleaning";
import { ironicRequest, type IronicDeps, type IronicRequest } from "@/server/surfaces/machine/ironic/deps";
import type { FoundNode } from "@/server/usecases/nodes/reading/find-node";
import { findNode, noNode } from "@/server/surfaces/machine/ironic/nodes/find-node";
import { nodePath } from "@/server/surfaces/machine/ironic/nodes/node-routes";
import { sendAccepted } from "@/server/surfaces/machine/ironic/states/accepted";
import { cleanStepsOf } from "@/server/surfaces/machine/ironic/states/clean-steps";
import { inMaintenance, isRetired, notInState } from "@/server/surfaces/machine/ironic/states/refusals";
import { readStanding, type Standing } from "@/server/usecases/nodes/reading/node-standing";
import { verbOf, type Verb } from "@/server/surfaces/machine/ironic/states/verbs";
import { readBody } from "@/server/surfaces/machine/ironic/wire/body";
import { fault, faultOfProblem, type IronicFault } from "@/server/surfaces/machine/ironic/wire/errors";
import { readQuery } from "@/server/surfaces/machine/ironic/wire/query";

const body = z.strictObject({
  target: z.string().min(1).max(64),
  clean_steps: z.array(z.unknown()).nullish(),
  runbook: z.string().min(1).max(255).nullish(),
  disable_ramdisk: z.boolean().nullish(),
  configdrive: z.unknown().optional(),
  deploy_steps: z.unknown().optional(),
  service_steps: z.unknown().optional(),
  rescue_password: z.unknown().optional(),
});
type Body = z.output<typeof body>;

const runbooksSince = 92;
const ramdiskSince = 70;

export function provisionRoutes(app: FastifyInstance, deps: IronicDeps): void {
  app.put("/nodes/:ident/states/provision", async (request, reply) => {
    const asker = ironicRequest(request);
    const { ident } = nodePath.parse(request.params);
    readQuery(request, []);
    const asked = readBody(request, body);
    const node = await findNode(deps, asker.actor, ident, asker.version);
    const verb = verbOf(asked.target);
    if (verb !== null && asker.version < verb.since)
      throw fault(
        406,
        `Request not acceptable. The requested action is not available before API version 1.${verb.since}.`,
      );
    const standing = await readStanding(deps.pool, node.hostId);
    if (standing === null) throw noNode(ident);
    const refused = refusalOf(asked.target, verb, node, standing) ?? fieldRefusal(asked, asker);
    if (refused !== null || verb === null) throw refused ?? notInState(asked.target, node, standing);
    const done =
      verb.act === null
        ? await clean(deps, asker, node, asked)
        : await verb.act(
            { backend: deps.backend, actor: asker.actor, facts: asker.facts },
            { hostId: node.hostId, instanceId: standing.instanceId },
          );
    if (!done.ok) throw faultOfProblem(done.problem);
    return sendAccepted(reply, deps, ident);
  });
}

/** What the node says against the verb. */
function refusalOf(
  target: string,
  verb: Verb | null,
  node: FoundNode,
  standing: Standing,
): IronicFault | null {
  if ((target === "active" || target === "rebuild") && standing.maintenance)
    return inMaintenance("provisioning", node);
  if (verb === null || !verb.from.has(standing.provision.state)) return notInState(target, node, standing);
  if (target === "provide" && standing.retired) return isRetired("provide", node);
  if (target === "clean" && standing.maintenance) return inMaintenance("cleaning", node);
  if ((target === "deleted" || target === "undeploy") && standing.protected)
    return fault(403, `Node ${node.hostId} is protected and can not be undeployed, rebuilt or deleted.`);
  return null;
}

/** Fields of one verb beside another, or before their version. */
function fieldRefusal(
  { target, clean_steps: steps, runbook, disable_ramdisk: noRamdisk, ...others }: Body,
  { version }: IronicRequest,
): IronicFault | null {
  const foreign = Object.entries(others).find(([, value]) => value != null);
  if (foreign !== undefined)
    return fault(400, `"${foreign[0]}" is not valid when setting target provision state to ${target}`);
  if (runbook != null && version < runbooksSince)
    return fault(
      406,
      `Request not acceptable. Runbooks are not available before API version 1.${runbooksSince}.`,
    );
  if (noRamdisk != null && version < ramdiskSince)
    return fault(
      406,
      `Request not acceptable. The disable_ramdisk parameter is not available before API version 1.${ramdiskSince}.`,
    );
  for (const [name, value] of Object.entries({ runbook, disable_ramdisk: noRamdisk, clean_steps: steps })) {
    if (value != null && target !== "clean")
      return fault(400, `"${name}" is only valid when setting target provision state to clean`);
  }
  return runbook != null && steps != null
    ? fault(400, '"runbook" and "clean_steps" can not be given together')
    : null;
}

/** An unknown step or a wrong argument is no reason to refuse: the node goes to clean failed with it. */
async function clean(
  { backend }: IronicDeps,
  { actor, facts }: IronicRequest,
  { hostId }: FoundNode,
  asked: Body,
) {
  const withoutAgent = asked.disable_ramdisk === true ? ({ withoutAgent: true } as const) : {};
  if (asked.runbook != null) {
    const found = await findRunbookId(backend.database, asked.runbook);
    if (!found.ok) throw fault(404, `Runbook ${asked.runbook.slice(0, 255)} could not be found.`);
    return startCleaningAsIronic(backend, actor, facts, { hostId, runbookId: found.value, ...withoutAgent });
  }
  if (asked.clean_steps == null || asked.clean_steps.length === 0)
    throw fault(400, '"clean_steps" is required when setting target provision state to clean');
  return startCleaningAsIronic(backend, actor, facts, {
    hostId,
    steps: cleanStepsOf(asked.clean_steps).map((step) => ({ ...step })),
    ...withoutAgent,
  });
}
