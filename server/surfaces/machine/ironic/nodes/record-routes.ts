// Creates, changes and deletes nodes (docs/api-ironic.md#nodes-creating-changing-deleting).
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { hasNode } from "@/server/usecases/hosts/nodes/reading/find-node";
import { createNode } from "@/server/usecases/hosts/nodes/create-node";
import { readRecord } from "@/server/usecases/hosts/nodes/read-record";
import { removeNode } from "@/server/usecases/hosts/nodes/remove-node";
import { updateNode } from "@/server/usecases/hosts/nodes/update-node";
import {
  handlersOn,
  ironicRequest,
  type IronicDeps,
  type IronicHandler,
  type IronicRequest,
} from "@/server/surfaces/machine/ironic/deps";
import { findNode, identOf, nodeText, noNode } from "@/server/surfaces/machine/ironic/nodes/find-node";
import { documentOf, patchable, readDocument } from "@/server/surfaces/machine/ironic/nodes/node-document";
import { nodePath } from "@/server/surfaces/machine/ironic/nodes/node-routes";
import { demandField } from "@/server/surfaces/machine/ironic/nodes/node-selection";
import { readBody } from "@/server/surfaces/machine/ironic/wire/body";
import { fault, valueOf } from "@/server/surfaces/machine/ironic/wire/errors";
import { jsonPatch, patched, rootsOf } from "@/server/surfaces/machine/ironic/wire/json-patch";
import { readFlag, readQuery } from "@/server/surfaces/machine/ironic/wire/query";
import type { Microversion } from "@/server/surfaces/machine/ironic/wire/version";

const newNode = z.looseObject({ uuid: z.guid("must be a UUID").nullable().optional() });

/** Maximum attempts of a change when somebody else changes the record at the same time. */
const maxTries = 5;

/** How long to wait for a deletion that the controller carries out, because clients read the node right after it. */
const goneWithinMs = 10_000;
const lookEveryMs = 50;

/** The version that introduced the argument `reset_interfaces`. */
const resetSince = 45;

const sendNode = async (
  deps: IronicDeps,
  reply: FastifyReply,
  hostId: string,
  { actor, version }: IronicRequest,
): Promise<FastifyReply> =>
  reply.type("application/json").send(await nodeText(deps, identOf(actor, hostId, version), version));

async function isGone({ pool }: IronicDeps, hostId: string): Promise<boolean> {
  const deadline = performance.now() + goneWithinMs;
  for (;;) {
    if (!(await hasNode(pool, hostId))) return true;
    if (performance.now() > deadline) return false;
    await sleep(lookEveryMs);
  }
}

const create: IronicHandler = async (deps, request, reply) => {
  const known = ironicRequest(request);
  readQuery(request, []);
  const { uuid = null, ...document } = readBody(request, newNode);
  for (const name of Object.keys(document)) demandField(name, known.version);
  const { fields, bmc, conductorGroup } = readDocument(document, {
    networks: deps.bmcNetworks,
    before: null,
    resetInterfaces: false,
  });
  const { hostId } = valueOf(
    await createNode(deps.backend, known.actor, known.facts, { id: uuid, conductorGroup, fields, bmc }),
  );
  return sendNode(
    deps,
    reply.code(201).header("location", `${deps.baseUrl}/v1/nodes/${hostId}`),
    hostId,
    known,
  );
};

/** Throws 400 for any other argument, and for this one if the version does not have it. */
const readReset = (request: FastifyRequest, version: Microversion): boolean =>
  readFlag(readQuery(request, version < resetSince ? [] : ["reset_interfaces"]), "reset_interfaces") ?? false;

const patch: IronicHandler = async (deps, request, reply) => {
  const known = ironicRequest(request);
  const { actor, version, facts } = known;
  const { hostId } = await findNode(deps, actor, nodePath.parse(request.params).ident, version);
  const resetInterfaces = readReset(request, version);
  const changes = readBody(request, jsonPatch);
  const roots = rootsOf(changes);
  for (const root of roots) if (patchable.has(root)) demandField(root, version);
  if (resetInterfaces && !roots.includes("driver"))
    throw fault(400, "The reset_interfaces parameter can only be used when changing the node's driver.");
  for (let tries = 1; ; tries += 1) {
    const before = await readRecord(deps.backend.database, hostId);
    if (before === null) throw noNode(hostId);
    const document = patched(documentOf(before), changes, { roots: patchable, mandatory: ["driver"] });
    const { fields, bmc, maintenance } = readDocument(document, {
      networks: deps.bmcNetworks,
      before,
      resetInterfaces,
    });
    const wanted = { hostId, seenMs: before.updatedMs, fields, bmc, maintenance };
    const outcome = await updateNode(deps.backend, actor, facts, wanted);
    if (!outcome.ok && outcome.problem.field === "seenMs" && tries < maxTries) continue;
    valueOf(outcome);
    if (maintenance !== before.maintenance) deps.wake();
    return sendNode(deps, reply, hostId, known);
  }
};

const remove: IronicHandler = async (deps, request, reply) => {
  const { actor, version, facts } = ironicRequest(request);
  const { hostId } = await findNode(deps, actor, nodePath.parse(request.params).ident, version);
  readQuery(request, []);
  const { gone } = valueOf(await removeNode(deps.backend, actor, facts, { hostId }));
  if (!gone) {
    deps.wake();
    if (!(await isGone(deps, hostId)))
      throw fault(503, `Node ${hostId} is being deleted and still there. Look again.`);
  }
  return reply.code(204).send();
};

export function recordRoutes(app: FastifyInstance, deps: IronicDeps): void {
  const on = handlersOn(deps);
  app.post("/nodes", on(create));
  app.patch("/nodes/:ident", on(patch));
  app.delete("/nodes/:ident", on(remove));
}
