// `/boot`: what firmware and a starting agent request (docs/design/agent.md#how-a-host-boots-it).
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { BootQuery, BootServer } from "@/server/agents/boot/boot-server";
import { parse, type Parsed } from "@/server/surfaces/machine/http/parse";
import { sendProblem } from "@/server/surfaces/machine/http/problems";

const mac = z
  .string()
  .transform((text) => text.toLowerCase().replaceAll("-", ":"))
  .pipe(z.string().regex(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/, "must be six hexadecimal pairs"));

const query = z
  .strictObject({
    uuid: z.guid("must be a system UUID").optional(),
    mac: z.union([z.literal("").transform(() => undefined), mac]).optional(),
  })
  .refine((given) => given.uuid !== undefined || given.mac !== undefined, {
    error: "uuid or mac is required",
    path: ["uuid"],
  });

function asked(request: FastifyRequest): Parsed<BootQuery> {
  const parsed = parse(query, request.query, "query");
  return parsed.ok
    ? {
        ok: true,
        value: {
          systemUuid: parsed.value.uuid ?? null,
          mac: parsed.value.mac ?? null,
          address: request.clientAddress,
        },
      }
    : parsed;
}

export function bootRoutes(app: FastifyInstance, boots: BootServer): void {
  app.get("/boot/ipxe", async (request, reply) => {
    const wanted = asked(request);
    if (!wanted.ok) return sendProblem(reply, wanted.problem);
    return reply.type("text/plain; charset=utf-8").send(await boots.script(wanted.value));
  });

  app.get("/boot/token", async (request, reply) => {
    const wanted = asked(request);
    if (!wanted.ok) return sendProblem(reply, wanted.problem);
    const answer = await boots.token(wanted.value, request.id);
    if (answer === null) return sendProblem(reply, { code: "noBootWindow" });
    return answer.ok ? reply.send({ bootToken: answer.value }) : sendProblem(reply, answer.problem);
  });
}
