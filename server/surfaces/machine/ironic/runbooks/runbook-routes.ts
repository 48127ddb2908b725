// `/v1/runbooks`: named lists of clean steps (docs/api-ironic.md#traits-and-runbooks).
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { listRunbooks } from "@/server/usecases/cleaning/runbooks/runbooks";
import { removeRunbook } from "@/server/usecases/cleaning/runbooks/remove-runbook";
import { saveRunbook } from "@/server/usecases/cleaning/runbooks/save-runbook";
import type { RunbookLine } from "@/server/contract/answers/cleaning";
import type { Actor } from "@/server/usecases/actor";
import { ironicRequest, since, type IronicDeps } from "@/server/surfaces/machine/ironic/deps";
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
const asked = z.strictObject({ traits: z.array(z.string()) });

const mostTries = 5;

export function runbookRoutes(app: FastifyInstance, { backend, baseUrl }: IronicDeps): void {
  /** By UUID or name. Throws 404. */
  async function find(actor: Actor, params: unknown): Promise<RunbookLine> {
    const ident = runbookPath.parse(params).runbook;
    const found = valueOf(await listRunbooks(backend, actor)).find(
      ({ id, name }) => id === ident.toLowerCase() || name === ident,
    );
    if (found === undefined) throw fault(404, `Runbook ${ident.slice(0, 255)} could not be found.`);
    return found;
  }

  /** Repeats a change that somebody else's came before. */
  async function change(
    known: ReturnType<typeof ironicRequest>,
    params: unknown,
    to: (line: RunbookLine) => Partial<Pick<RunbookLine, "name" | "description" | "steps" | "traits">>,
  ): Promise<RunbookLine> {
    for (let tries = 1; ; tries += 1) {
      const before = await find(known.actor, params);
      const { id, version, name, description, steps, traits } = { ...before, ...to(before) };
      const outcome = await saveRunbook(backend, known.actor, known.facts, {
        id,
        version,
        name,
        description,
        steps: steps.map((step) => ({ ...step })),
        traits: [...traits],
      });
      if (!outcome.ok && outcome.problem.field === "version" && tries < mostTries) continue;
      valueOf(outcome);
      return find(known.actor, { runbook: id });
    }
  }

  app.get("/runbooks", since(runbooksSince), async (request, reply) => {
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
  });

  app.get("/runbooks/:runbook", since(runbooksSince), async (request, reply) => {
    const { actor, version } = ironicRequest(request);
    readQuery(request, []);
    return reply.send(runbookView(await find(actor, request.params), baseUrl, version, true));
  });

  app.post("/runbooks", since(runbooksSince), async (request, reply) => {
    const { actor, version, facts } = ironicRequest(request);
    readQuery(request, []);
    const body = readBody(request, newRunbook);
    for (const name of Object.keys(body)) demandRunbookField(name, version);
    const { steps, ...wanted } = readRunbookDocument(body);
    // A node needs a trait of the runbook's own name, until other traits are given to it.
    const { id } = valueOf(
      await saveRunbook(backend, actor, facts, {
        id: null,
        ...wanted,
        steps: [...steps],
        traits: [wanted.name],
      }),
    );
    return reply
      .code(201)
      .header("location", `${baseUrl}/v1/runbooks/${id}`)
      .send(runbookView(await find(actor, { runbook: id }), baseUrl, version, true));
  });

  app.patch("/runbooks/:runbook", since(runbooksSince), async (request, reply) => {
    const known = ironicRequest(request);
    readQuery(request, []);
    const patch = readBody(request, jsonPatch);
    for (const root of rootsOf(patch)) demandRunbookField(root, known.version);
    const line = await change(known, request.params, (before) => {
      const wanted = readRunbookDocument(
        patched(runbookDocument(before), patch, { roots: patchableRunbook, mandatory: ["name", "steps"] }),
      );
      const renamed =
        before.traits.length === 1 && before.traits[0] === before.name ? { traits: [wanted.name] } : {};
      return { ...wanted, ...renamed };
    });
    return reply.send(runbookView(line, baseUrl, known.version, true));
  });

  app.delete("/runbooks/:runbook", since(runbooksSince), async (request, reply) => {
    const { actor, facts } = ironicRequest(request);
    readQuery(request, []);
    const { id, version } = await find(actor, request.params);
    valueOf(await removeRunbook(backend, actor, facts, { id, version }));
    return reply.code(204).send();
  });

  app.get("/runbooks/:runbook/traits", since(traitsSince), async (request, reply) => {
    readQuery(request, []);
    return reply.send({ traits: (await find(ironicRequest(request).actor, request.params)).traits });
  });

  app.put("/runbooks/:runbook/traits", since(traitsSince), async (request, reply) => {
    readQuery(request, []);
    const { traits } = readBody(request, asked);
    await change(ironicRequest(request), request.params, () => ({ traits }));
    return reply.code(204).send();
  });

  app.put("/runbooks/:runbook/traits/:trait", since(traitsSince), async (request, reply) => {
    readQuery(request, []);
    const { trait } = traitPath.parse(request.params);
    const { id } = await change(ironicRequest(request), request.params, ({ traits }) => ({
      traits: [...new Set([...traits, trait])],
    }));
    return reply.code(204).header("location", `${baseUrl}/v1/runbooks/${id}/traits/${trait}`).send();
  });

  app.delete("/runbooks/:runbook/traits/:trait", since(traitsSince), async (request, reply) => {
    readQuery(request, []);
    const { trait } = traitPath.parse(request.params);
    await change(ironicRequest(request), request.params, ({ id, traits }) => {
      if (!traits.includes(trait))
        throw fault(404, `Runbook ${id} doesn't have a trait '${trait.slice(0, 255)}'`);
      return { traits: traits.filter((other) => other !== trait) };
    });
    return reply.code(204).send();
  });
}
