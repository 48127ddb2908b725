// The traits of a node, which decide which runbooks may run on it (docs/api-ironic.md#traits-and-runbooks).
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { setTraits } from "@/server/usecases/cleaning/policy/set-traits";
import { readTraits } from "@/server/usecases/hosts/nodes/reading/find-node";
import { ironicRequest, since, type IronicDeps } from "@/server/surfaces/machine/ironic/deps";
import { findNode } from "@/server/surfaces/machine/ironic/nodes/find-node";
import { nodePath } from "@/server/surfaces/machine/ironic/nodes/node-routes";
import { readBody } from "@/server/surfaces/machine/ironic/wire/body";
import { fault, valueOf } from "@/server/surfaces/machine/ironic/wire/errors";
import { readQuery } from "@/server/surfaces/machine/ironic/wire/query";

/** `CUSTOM_…`, or one of os-traits, which all have this form. */
const shape = /^[A-Z][A-Z0-9_]{0,254}$/;
const asked = z.strictObject({ traits: z.array(z.string()) });
const traitPath = z.object({ trait: z.string() });

function readTrait(text: string): string {
  if (!shape.test(text))
    throw fault(
      400,
      `Invalid value for trait: '${text.slice(0, 100)}'. A trait must be either a standard trait or a custom trait, which begins with CUSTOM_ and has A to Z, 0 to 9 and _ only.`,
    );
  return text;
}

export function traitRoutes(app: FastifyInstance, deps: IronicDeps): void {
  const { backend, pool, baseUrl } = deps;

  app.get("/nodes/:ident/traits", since(37), async (request, reply) => {
    const { actor, version } = ironicRequest(request);
    readQuery(request, []);
    const { hostId } = await findNode(deps, actor, nodePath.parse(request.params).ident, version);
    return reply.send({ traits: await readTraits(pool, hostId) });
  });

  app.put("/nodes/:ident/traits", since(37), async (request, reply) => {
    const { actor, version, facts } = ironicRequest(request);
    readQuery(request, []);
    const { hostId } = await findNode(deps, actor, nodePath.parse(request.params).ident, version);
    const traits = readBody(request, asked).traits.map(readTrait);
    valueOf(await setTraits(backend, actor, facts, { hostId, change: { kind: "all", traits } }));
    return reply.code(204).send();
  });

  app.put("/nodes/:ident/traits/:trait", since(37), async (request, reply) => {
    const { actor, version, facts } = ironicRequest(request);
    readQuery(request, []);
    const { hostId } = await findNode(deps, actor, nodePath.parse(request.params).ident, version);
    const trait = readTrait(traitPath.parse(request.params).trait);
    valueOf(await setTraits(backend, actor, facts, { hostId, change: { kind: "add", trait } }));
    return reply.code(204).header("location", `${baseUrl}/v1/nodes/${hostId}/traits/${trait}`).send();
  });

  app.delete("/nodes/:ident/traits", since(37), async (request, reply) => {
    const { actor, version, facts } = ironicRequest(request);
    readQuery(request, []);
    const { hostId } = await findNode(deps, actor, nodePath.parse(request.params).ident, version);
    valueOf(await setTraits(backend, actor, facts, { hostId, change: { kind: "all", traits: [] } }));
    return reply.code(204).send();
  });

  app.delete("/nodes/:ident/traits/:trait", since(37), async (request, reply) => {
    const { actor, version, facts } = ironicRequest(request);
    readQuery(request, []);
    const { hostId } = await findNode(deps, actor, nodePath.parse(request.params).ident, version);
    const { trait } = traitPath.parse(request.params);
    const outcome = await setTraits(backend, actor, facts, { hostId, change: { kind: "remove", trait } });
    if (!outcome.ok && (outcome.problem.code === "notFound" || outcome.problem.code === "invalid"))
      throw fault(404, `Node ${hostId} doesn't have a trait '${trait.slice(0, 255)}'`);
    valueOf(outcome);
    return reply.code(204).send();
  });
}
