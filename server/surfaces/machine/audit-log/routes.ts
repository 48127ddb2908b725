// `/audit-log`: the files of the signed audit log, for auditors (https://c2sp.org/tlog-tiles; docs/security.md#the-audit-log).
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { authenticateBearer } from "@/server/usecases/access/authenticate-member";
import { readLogFile } from "@/server/usecases/audit-log/log-file";
import type { Backend } from "@/server/usecases/backend";
import { parse } from "@/server/surfaces/machine/http/parse";
import { sendProblem } from "@/server/surfaces/machine/http/problems";

const params = z.object({ "*": z.string().max(128) });

export function auditLogRoutes(app: FastifyInstance, backend: Backend): void {
  app.get("/audit-log/*", async (request, reply) => {
    const path = parse(params, request.params, "path");
    if (!path.ok) return sendProblem(reply, path.problem);
    const actor = await authenticateBearer(backend, request.headers.authorization);
    const file = actor.ok ? await readLogFile(backend, actor.value, path.value["*"]) : actor;
    if (!file.ok) return sendProblem(reply, file.problem);
    const { bytes, type, immutable } = file.value;
    return reply
      .type(type)
      .header("cache-control", immutable ? "private, max-age=31536000, immutable" : "no-store")
      .send(Buffer.from(bytes));
  });
}
