// `/boot`: what firmware and a starting agent request (docs/design/agent.md#how-a-host-boots-it).
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { BootQuery, BootServer } from "@/server/agents/boot/boot-server";
import { bootFromDisk } from "@/server/agents/boot/scripts";
import { RateLimit } from "@/server/surfaces/http/rate-limit";
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

/** Requests that count for nothing, whether or not the machine is known: far more than a firmware makes that waits (12 a minute). */
const forNothing = { burst: 60, perSecond: 1, most: 10_000 };

export function bootRoutes(app: FastifyInstance, boots: BootServer, now: () => number): void {
  const limit = new RateLimit(forNothing);
  const mayAsk = (address: string): boolean => limit.take(address, now());
  app.get("/boot/ipxe", async (request, reply) => {
    const wanted = asked(request);
    if (!wanted.ok) return sendProblem(reply, wanted.problem);
    const script = await boots.script(wanted.value);
    if (script === null && !mayAsk(wanted.value.address)) return sendProblem(reply, { code: "tooMany" });
    return reply.type("text/plain; charset=utf-8").send(script ?? bootFromDisk);
  });

  app.get("/boot/token", async (request, reply) => {
    const wanted = asked(request);
    if (!wanted.ok) return sendProblem(reply, wanted.problem);
    const answer = await boots.token(wanted.value, request.id);
    if (answer === null)
      return sendProblem(reply, { code: mayAsk(wanted.value.address) ? "noBootWindow" : "tooMany" });
    return answer.ok ? reply.send({ bootToken: answer.value }) : sendProblem(reply, answer.problem);
  });
}
