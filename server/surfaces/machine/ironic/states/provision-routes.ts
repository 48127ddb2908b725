// `PUT /v1/nodes/{ident}/states/provision`: Ironic's verbs, in Ironic's order of checks (docs/api-ironic.md#provision-state).
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { abortCleaning, resumeCleaning } from "@/server/usecases/cleaning/interrupt";
import { startCleaningAsIronic } from "@/server/usecases/cleaning/start-cleaning";
import { inspectHost, inspectHostByAgent } from "@/server/usecases/hosts/acts/inspect-host";
import { manageHost } from "@/server/usecases/hosts/acts/manage-host";
import { provideHost } from "@/server/usecases/hosts/acts/provide-host";
import { retryReclamation } from "@/server/usecases/hosts/acts/retry-reclamation";
import { releaseInstance } from "@/server/usecases/instances/release-instance";
import type { NodeState } from "@/server/usecases/hosts/nodes/reading/node-state";
import { notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { ironicRequest, sendAccepted } from "@/server/surfaces/machine/ironic/deps";
import type { IronicDeps, IronicRequest } from "@/server/surfaces/machine/ironic/deps";
import { driverOf } from "@/server/surfaces/machine/ironic/drivers/driver-table";
import { findStanding } from "@/server/surfaces/machine/ironic/nodes/find-node";
import { nodePath } from "@/server/surfaces/machine/ironic/nodes/node-routes";
import { cleanStepsOf } from "@/server/surfaces/machine/ironic/states/clean-steps";
import { inMaintenance, isRetired, notInState } from "@/server/surfaces/machine/ironic/states/refusals";
import { readBody } from "@/server/surfaces/machine/ironic/wire/body";
import { fault, faultOfProblem } from "@/server/surfaces/machine/ironic/wire/errors";
import type { IronicFault } from "@/server/surfaces/machine/ironic/wire/errors";
import { readQuery } from "@/server/surfaces/machine/ironic/wire/query";
import type { Microversion } from "@/server/surfaces/machine/ironic/wire/version";

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

const uuid = z.guid();
const runbooksSince = 92;
const ramdiskSince = 70;

type Does = (
  { backend }: IronicDeps,
  { actor, facts }: IronicRequest,
  node: NodeState,
  asked: Body,
) => Promise<Outcome<unknown>>;

/** The version that introduced a verb, the Ironic states in which it is accepted, and the act of ours that it runs. */
interface Verb {
  readonly since: Microversion;
  readonly from: ReadonlySet<string>;
  readonly act: Does;
}

const verb = (since: Microversion, from: readonly string[], act: Does): Verb => ({
  since,
  from: new Set(from),
  act,
});

/** Reclaim does not deploy, rescue or service, so no state allows these. */
const never = (since: Microversion): Verb =>
  verb(since, [], (_deps, _asker, node, { target }) => Promise.reject(notInState(target, node)));

const release: Does = async ({ backend }, { actor, facts }, { hostId, host, instanceId }) =>
  instanceId === null
    ? notFound("instance on host", hostId)
    : releaseInstance.on({ ...host, id: instanceId })(backend, actor, facts, { instanceId });

/** An unknown step or a wrong argument is not refused: the node goes to clean failed. */
const clean: Does = async ({ backend }, { actor, facts }, { hostId, host }, asked) => {
  const start = startCleaningAsIronic.on(host);
  const withoutAgent = asked.disable_ramdisk === true ? ({ withoutAgent: true } as const) : {};
  if (asked.runbook != null) {
    const runbook = uuid.safeParse(asked.runbook).success
      ? { runbookId: asked.runbook }
      : { runbookName: asked.runbook };
    const started = await start(backend, actor, facts, { hostId, ...runbook, ...withoutAgent });
    if (!started.ok && started.problem.code === "notFound")
      throw fault(404, `Runbook ${asked.runbook.slice(0, 255)} could not be found.`);
    return started;
  }
  if (asked.clean_steps == null || asked.clean_steps.length === 0)
    throw fault(400, '"clean_steps" is required when setting target provision state to clean');
  const steps = cleanStepsOf(asked.clean_steps).map((step) => ({ ...step }));
  return start(backend, actor, facts, { hostId, steps, ...withoutAgent });
};

/** What failed, and the way on. */
function notTowardAvailable({ hostId, openKind }: NodeState): IronicFault {
  switch (openKind) {
    case "manualCleaning":
      return fault(
        400,
        `Node ${hostId} failed in a manual cleaning, which leads to manageable: ask for clean again, or for manage and then for provide.`,
      );
    case "decommission":
      return fault(
        400,
        `Node ${hostId} failed in its decommission, which does not lead to available: retry it in Reclaim. Manage and clean end the decommission.`,
      );
    default:
      return fault(
        400,
        `Node ${hostId} failed, and no cleaning was to lead to available: ask for manage and then for provide.`,
      );
  }
}

/** From `clean failed`, as the specification of cleaning has it and Ironic has not: the cleaning is tried again, so nothing becomes available uncleaned. */
const provide: Does = async ({ backend }, { actor, facts }, node) => {
  const { hostId, host, provision } = node;
  if (provision.state !== "clean failed") return provideHost.on(host)(backend, actor, facts, { hostId });
  if (provision.target !== "available") throw notTowardAvailable(node);
  return retryReclamation.on(host)(backend, actor, facts, { hostId });
};

/** By the BMC at once, or by the agent in a boot ordered for it, depending on the node's `inspect_interface`. */
const inspect: Does = async ({ backend }, { actor, facts }, { hostId, host, driver, inspectInterface }) => {
  const known = driverOf(driver);
  const by = inspectInterface ?? known?.interfaces.inspect_interface[0];
  if (by === undefined || by === "no-inspect")
    throw fault(
      400,
      `Driver ${known?.name ?? driver} does not support inspect (disabled or not implemented).`,
    );
  return (by === "agent" ? inspectHostByAgent : inspectHost).on(host)(backend, actor, facts, { hostId });
};

/** In `deploying` Ironic waits for itself. Our host waits there for the network, so it may also be released there. */
const held = ["deploying", "wait call-back", "active", "error"];

const verbs: Readonly<Record<string, Verb>> = {
  manage: verb(
    4,
    ["enroll", "available", "clean failed", "inspect failed"],
    ({ backend }, { actor, facts }, { hostId, host }) =>
      manageHost.on(host)(backend, actor, facts, { hostId }),
  ),
  provide: verb(4, ["manageable", "clean failed"], provide),
  clean: verb(15, ["manageable", "clean failed"], clean),
  abort: verb(
    13,
    ["clean wait", "clean hold", "inspect wait"],
    ({ backend }, { actor, facts }, { hostId, host }) =>
      abortCleaning.on(host)(backend, actor, facts, { hostId }),
  ),
  unhold: verb(85, ["clean hold"], ({ backend }, { actor, facts }, { hostId, host }) =>
    resumeCleaning.on(host)(backend, actor, facts, { hostId }),
  ),
  deleted: verb(1, held, release),
  undeploy: verb(73, held, release),
  active: never(1),
  deploy: never(73),
  rebuild: never(1),
  inspect: verb(6, ["manageable", "inspect failed"], inspect),
  adopt: never(17),
  rescue: never(38),
  unrescue: never(38),
  service: never(87),
};

/** Null for an unknown verb. */
const verbOf = (target: string): Verb | null =>
  Object.hasOwn(verbs, target) ? (verbs[target] ?? null) : null;

export function provisionRoutes(app: FastifyInstance, deps: IronicDeps): void {
  app.put("/nodes/:ident/states/provision", async (request, reply) => {
    const asker = ironicRequest(request);
    const { ident } = nodePath.parse(request.params);
    readQuery(request, []);
    const asked = readBody(request, body);
    const node = await findStanding(deps, asker, ident);
    const verb = verbOf(asked.target);
    if (verb !== null && asker.version < verb.since)
      throw fault(
        406,
        `Request not acceptable. The requested action is not available before API version 1.${verb.since}.`,
      );
    const refused = refusalOf(asked.target, verb, node) ?? fieldRefusal(asked, asker);
    if (refused !== null || verb === null) throw refused ?? notInState(asked.target, node);
    const done = await verb.act(deps, asker, node, asked);
    if (!done.ok) throw faultOfProblem(done.problem);
    return sendAccepted(reply, deps, ident);
  });
}

/** Why the node refuses the verb. */
function refusalOf(target: string, verb: Verb | null, node: NodeState): IronicFault | null {
  if ((target === "active" || target === "rebuild") && node.maintenance)
    return inMaintenance("provisioning", node);
  if (verb === null || !verb.from.has(node.provision.state)) return notInState(target, node);
  if (target === "provide" && node.retired) return isRetired("provide", node);
  if (target === "clean" && node.maintenance && !node.maintenanceOfFailure)
    return inMaintenance("cleaning", node);
  if (target === "inspect" && node.maintenance) return inMaintenance("inspecting", node);
  if ((target === "deleted" || target === "undeploy") && node.protected)
    return fault(403, `Node ${node.hostId} is protected and can not be undeployed, rebuilt or deleted.`);
  return null;
}

/** Refuses fields that belong to another verb or to a later version. */
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
