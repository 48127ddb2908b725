// `/network/v1`: acknowledgements by network controllers (docs/api.md#the-network-controllers-side).
import type { FastifyInstance } from "fastify";
import { bearerToken } from "@/server/domain/access/tokens";
import { networkAcknowledgement } from "@/server/domain/hosts/network/network-protocol";
import type { AuditRefusal } from "@/server/agents/refusal";
import type { RefusalCode } from "@/server/domain/problems";
import type { HotPool } from "@/server/usecases/backend";
import { acknowledgeNetwork } from "@/server/usecases/hosts/network/acknowledge-network";
import { parse } from "@/server/surfaces/machine/http/parse";
import { sendProblem } from "@/server/surfaces/machine/http/problems";
import { tokenFirst } from "@/server/surfaces/machine/http/token-first";
import { setSubject } from "@/server/surfaces/machine/http/subject";

export interface NetworkRouteDeps {
  readonly pool: HotPool;
  readonly wake: () => void;
  readonly audit: AuditRefusal;
}

export function networkRoutes(app: FastifyInstance, { pool, wake, audit }: NetworkRouteDeps): void {
  const onRequest = tokenFirst(async (token) => (await acknowledgeNetwork(pool, token, null)) !== null);
  app.post("/network/v1/acknowledgements", { onRequest }, async (request, reply) => {
    const token = bearerToken(request.headers.authorization);
    if (token === null) return sendProblem(reply, { code: "unauthorized" });
    const body = parse(networkAcknowledgement, request.body, "body");
    const row = await acknowledgeNetwork(pool, token, body.ok ? body.value : null);
    if (row === null) return sendProblem(reply, { code: "unauthorized" });
    if (!body.ok) return sendProblem(reply, body.problem);
    if (row.hostId !== null) setSubject(request, { hostId: row.hostId, reclamationId: null });
    if (row.verdict === "stored") {
      wake();
      return reply.code(204).send();
    }
    const code: RefusalCode = row.verdict === "foreign" ? "unknownHost" : "networkNotWanted";
    await audit({
      action: "network.acknowledge",
      code,
      actor: { kind: "adapter", id: row.adapter },
      hostId: row.hostId,
      tenantId: null,
      requestId: request.id,
      address: request.clientAddress,
      facts: { host: body.value.host, interface: body.value.interface, version: body.value.version },
    });
    return sendProblem(reply, { code });
  });
}
