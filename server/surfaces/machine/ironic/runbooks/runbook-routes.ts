// `/v1/runbooks`: named lists of clean steps (docs/api-ironic.md#traits-and-runbooks).
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { listRunbooks } from "@/server/usecases/cleaning/runbooks/runbooks";
import { removeRunbook } from "@/server/usecases/cleaning/runbooks/remove-runbook";
import { saveRunbook } from "@/server/usecases/cleaning/runbooks/save-runbook";
import type { RunbookLine } from "@/server/contract/cleaning/cleaning-answers";
import type { Actor } from "@/server/usecases/actor";
import {
  handlersOn,
  ironicRequest,
  since,
  type IronicDeps,
  type IronicHandler,
} from "@/server/surfaces/machine/ironic/deps";
import {
  demandRunbookField,
  patchableRunbook,
  readRunbookDocument,
  runbookDocument,
  runbooksSince,
  runbookView,
  traitsSince,
} from "@/server/surfaces/machine/ironic/runbooks/runbook-document";
import { readBody } from "@/server/surfaces/machine/ironic/wire/body";
import { fault, valueOf } from "@/server/surfaces/machine/ironic/wire/errors";
import { jsonPatch, patched, rootsOf } from "@/server/surfaces/machine/ironic/wire/json-patch";
import { readFlag, readLimit, readQuery, readUuid } from "@/server/surfaces/machine/ironic/wire/query";

const runbookPath = z.object({ runbook: z.string() });
const traitPath = z.object({ trait: z.string() });
const newRunbook = z.looseObject({});
const wantedTraits = z.strictObject({ traits: z.array(z.string()) });

const maxTries = 5;

/** By UUID or name. Throws 404. */
async function findRunbook({ backend }: IronicDeps, actor: Actor, ident: string): Promise<RunbookLine> {
  const found = valueOf(await listRunbooks(backend, actor)).find(
    ({ id, name }) => id === ident.toLowerCase() || name === ident,
  );
  if (found === undefined) throw fault(404, `Runbook ${ident.slice(0, 255)} could not be found.`);
  return found;
}

/** The runbook named in the path. Throws 404. */
const runbookOf = (deps: IronicDeps, request: FastifyRequest): Promise<RunbookLine> =>
  findRunbook(deps, ironicRequest(request).actor, runbookPath.parse(request.params).runbook);

type RunbookChange = Partial<Pick<RunbookLine, "name" | "description" | "steps" | "traits">>;

/** Retries a change if somebody else's change came first. */
async function changeRunbook(
  deps: IronicDeps,
  request: FastifyRequest,
  to: (line: RunbookLine) => RunbookChange,
): Promise<RunbookLine> {
  const { actor, facts } = ironicRequest(request);
  for (let tries = 1; ; tries += 1) {
    const before = await runbookOf(deps, request);
    const { id, version, name, description, steps, traits } = { ...before, ...to(before) };
    const outcome = await saveRunbook(deps.backend, actor, facts, {
      id,
      version,
      name,
      description,
      steps: steps.map((step) => ({ ...step })),
      traits: [...traits],
    });
    if (!outcome.ok && outcome.problem.field === "version" && tries < maxTries) continue;
    valueOf(outcome);
    return findRunbook(deps, actor, id);
  }
}

const listPage: IronicHandler = async ({ backend, baseUrl }, request, reply) => {
  const { actor, version } = ironicRequest(request);
  const query = readQuery(request, ["limit", "marker", "detail"]);
  const limit = readLimit(query);
  const marker = readUuid(query, "marker");
  const all = valueOf(await listRunbooks(backend, actor));
  const start = marker === undefined ? 0 : all.findIndex(({ id }) => id === marker) + 1;
  if (marker !== undefined && start === 0) throw fault(404, `Runbook ${marker} could not be found.`);
  const page = all.slice(start, start + limit);
  const last = page.at(-1);
  const detail = readFlag(query, "detail") === true;
  return reply.send({
    runbooks: page.map((line) => runbookView(line, baseUrl, version, detail)),
    ...(last === undefined || page.length < limit
      ? {}
      : { next: `${baseUrl}/v1/runbooks?limit=${limit}&marker=${last.id}${detail ? "&detail=True" : ""}` }),
  });
};

const show: IronicHandler = async (deps, request, reply) => {
  const { version } = ironicRequest(request);
  readQuery(request, []);
  return reply.send(runbookView(await runbookOf(deps, request), deps.baseUrl, version, true));
};

const create: IronicHandler = async (deps, request, reply) => {
  const { actor, version, facts } = ironicRequest(request);
  readQuery(request, []);
  const body = readBody(request, newRunbook);
  for (const name of Object.keys(body)) demandRunbookField(name, version);
  const { steps, ...wanted } = readRunbookDocument(body);
  // A node needs a trait with the runbook's own name, until the runbook is given other traits.
  const { id } = valueOf(
    await saveRunbook(deps.backend, actor, facts, {
      id: null,
      ...wanted,
      steps: [...steps],
      traits: [wanted.name],
    }),
  );
  return reply
    .code(201)
    .header("location", `${deps.baseUrl}/v1/runbooks/${id}`)
    .send(runbookView(await findRunbook(deps, actor, id), deps.baseUrl, version, true));
};

const patch: IronicHandler = async (deps, request, reply) => {
  const { version } = ironicRequest(request);
  readQuery(request, []);
  const changes = readBody(request, jsonPatch);
  for (const root of rootsOf(changes)) demandRunbookField(root, version);
  const line = await changeRunbook(deps, request, (before) => {
    const wanted = readRunbookDocument(
      patched(runbookDocument(before), changes, { roots: patchableRunbook, mandatory: ["name", "steps"] }),
    );
    const renamed =
      before.traits.length === 1 && before.traits[0] === before.name ? { traits: [wanted.name] } : {};
    return { ...wanted, ...renamed };
  });
  return reply.send(runbookView(line, deps.baseUrl, version, true));
};

const remove: IronicHandler = async (deps, request, reply) => {
  const { actor, facts } = ironicRequest(request);
  readQuery(request, []);
  const { id, version } = await runbookOf(deps, request);
  valueOf(await removeRunbook(deps.backend, actor, facts, { id, version }));
  return reply.code(204).send();
};

const showTraits: IronicHandler = async (deps, request, reply) => {
  readQuery(request, []);
  return reply.send({ traits: (await runbookOf(deps, request)).traits });
};

const replaceTraits: IronicHandler = async (deps, request, reply) => {
  readQuery(request, []);
  const { traits } = readBody(request, wantedTraits);
  await changeRunbook(deps, request, () => ({ traits }));
  return reply.code(204).send();
};

const addTrait: IronicHandler = async (deps, request, reply) => {
  readQuery(request, []);
  const { trait } = traitPath.parse(request.params);
  const { id } = await changeRunbook(deps, request, ({ traits }) => ({
    traits: [...new Set([...traits, trait])],
  }));
  return reply.code(204).header("location", `${deps.baseUrl}/v1/runbooks/${id}/traits/${trait}`).send();
};

const removeTrait: IronicHandler = async (deps, request, reply) => {
  readQuery(request, []);
  const { trait } = traitPath.parse(request.params);
  await changeRunbook(deps, request, ({ id, traits }) => {
    if (!traits.includes(trait))
      throw fault(404, `Runbook ${id} doesn't have a trait '${trait.slice(0, 255)}'`);
    return { traits: traits.filter((other) => other !== trait) };
  });
  return reply.code(204).send();
};

export function runbookRoutes(app: FastifyInstance, deps: IronicDeps): void {
  const on = handlersOn(deps);
  app.get("/runbooks", since(runbooksSince), on(listPage));
  app.post("/runbooks", since(runbooksSince), on(create));
  app.get("/runbooks/:runbook", since(runbooksSince), on(show));
  app.patch("/runbooks/:runbook", since(runbooksSince), on(patch));
  app.delete("/runbooks/:runbook", since(runbooksSince), on(remove));
  app.get("/runbooks/:runbook/traits", since(traitsSince), on(showTraits));
  app.put("/runbooks/:runbook/traits", since(traitsSince), on(replaceTraits));
  app.put("/runbooks/:runbook/traits/:trait", since(traitsSince), on(addTrait));
  app.delete("/runbooks/:runbook/traits/:trait", since(traitsSince), on(removeTrait));
}
