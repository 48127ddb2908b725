// `GET /v1/nodes/{ident}/cleaning/steps`: in the specification of cleaning, but never in Ironic (docs/api-ironic.md#clean-steps-of-a-node).
import type { FastifyInstance } from "fastify";
import { inOrder } from "@/server/domain/cleaning/plan/plan";
import { effectiveSteps } from "@/server/domain/cleaning/plan/priorities";
import type { EffectiveStep } from "@/server/domain/cleaning/plan/priorities";
import { catalogueOf } from "@/server/domain/hosts/fake/fake-steps";
import { stepName } from "@/server/domain/cleaning/steps/step";
import { stepCodeOf } from "@/server/hardware/registry";
import { offeredBy, readKnownHost } from "@/server/usecases/cleaning/known-host";
import type { KnownHost } from "@/server/usecases/cleaning/known-host";
import { demand, ironicRequest, since, type IronicDeps } from "@/server/surfaces/machine/ironic/deps";
import { findNode, noNode } from "@/server/surfaces/machine/ironic/nodes/find-node";
import { nodePath } from "@/server/surfaces/machine/ironic/nodes/node-routes";
import { fault } from "@/server/surfaces/machine/ironic/wire/errors";
import { readQuery } from "@/server/surfaces/machine/ironic/wire/query";

const view = ({ step, priority }: EffectiveStep) => ({
  interface: step.interface,
  step: step.step,
  priority,
  abortable: step.abortable,
  args: step.args.map(({ name, description, required }) => ({ name, description, required })),
});

/** With the priorities in force for this host; null while its hardware is unknown. Steps without code, or with nothing to act on, are left out. */
function stepsOf({ known, agent, overrides }: KnownHost): readonly EffectiveStep[] | null {
  if (known === null) return null;
  const code = stepCodeOf(known.hardwareType);
  const steps = effectiveSteps(catalogueOf(known, offeredBy(agent?.managers ?? [])), overrides);
  return inOrder(
    steps.filter(
      ({ step }) =>
        step.applies(known) &&
        (step.where === "agent" || step.reserved || code === null || code.has(stepName(step))),
    ),
  );
}

/** The specification of manual cleaning brought it together with the verb `clean`. */
const stepsSince = 15;

/** "An int or float", by the specification of cleaning. */
function minPriority(text: string | undefined): number {
  if (text === undefined) return 0;
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(text))
    throw fault(400, `Expected a number of 0 or more for min_priority: ${text.slice(0, 50)}`);
  return Number(text);
}

export function cleaningStepsRoutes(app: FastifyInstance, deps: IronicDeps): void {
  app.get("/nodes/:ident/cleaning/steps", since(stepsSince), async (request, reply) => {
    const { actor, version } = ironicRequest(request);
    const least = minPriority(readQuery(request, ["min_priority"]).get("min_priority"));
    demand(actor, "cleaning.read");
    const { ident } = nodePath.parse(request.params);
    const { hostId } = await findNode(deps, actor, ident, version);
    const host = await readKnownHost(deps.backend.database, hostId);
    if (host === null) throw noNode(ident);
    const steps = stepsOf(host);
    // Nobody knows when the host will be verified.
    if (steps === null)
      return reply
        .code(202)
        .header("retry-request-after", "-1")
        .send({
          message: `The clean steps of node ${hostId} are not known before its BMC was read: ask for manage, and then again.`,
        });
    return reply.send(steps.filter(({ priority }) => priority >= least).map(view));
  });
}
