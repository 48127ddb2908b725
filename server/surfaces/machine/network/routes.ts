// `/network/v1`: acknowledgements of network controllers (docs/api.md#the-network-controllers-side).
import type { FastifyInstance } from "fastify";
import type { Pool } from "pg";
import { z } from "zod";
import {
  networkAcknowledgement,
  networkWanted,
  type NetworkAcknowledgement,
} from "@/server/domain/agents/protocol";
import { wantedDigest } from "@/server/domain/network/wanted-digest";
import { refused, type AuditRefusal, type RefusalCode } from "@/server/agents/refusal";
import { bearerToken, tokenHash } from "@/server/agents/tokens";
import {
  storeAcknowledgement,
  type AcknowledgementRow,
} from "@/server/db/hot/hardware/network-acknowledgement";
import { parse } from "@/server/surfaces/machine/http/parse";
import { sendProblem } from "@/server/surfaces/machine/http/problems";
import { setSubject } from "@/server/surfaces/machine/http/subject";

export interface NetworkRouteDeps {
  readonly pool: Pool;
  readonly wake: () => void;
  readonly audit: AuditRefusal;
}

/** An acknowledgement may be here before the answer to our own request, which carries the digest: then it is computed from what was asked. */
async function store(
  pool: Pool,
  token: string,
  ack: NetworkAcknowledgement,
): Promise<AcknowledgementRow | undefined> {
  const hostId = z.uuid().safeParse(ack.host).success ? ack.host : null;
  const put = (computed: string | null) =>
    storeAcknowledgement(pool, {
      token,
      host_id: hostId,
      interface: ack.interface,
      version: ack.version,
      sha256: ack.sha256,
      extension_services: ack.extensionServices,
      computed,
    });
  const row = await put(null);
  if (row?.verdict !== "unhashed") return row;
  return put(wantedDigest(networkWanted.parse(row.wanted)));
}

export function networkRoutes(app: FastifyInstance, { pool, wake, audit }: NetworkRouteDeps): void {
  app.post("/network/v1/acknowledgements", async (request, reply) => {
    const token = bearerToken(request.headers.authorization);
    if (token === null) return sendProblem(reply, refused("unauthorized"));
    const body = parse(networkAcknowledgement, request.body, "body");
    const hash = tokenHash(token).toString("hex");
    const row = body.ok
      ? await store(pool, hash, body.value)
      : await storeAcknowledgement(pool, {
          token: hash,
          host_id: null,
          interface: "",
          version: 0,
          sha256: "",
          extension_services: "",
          computed: null,
        });
    if (row === undefined) return sendProblem(reply, refused("unauthorized"));
    if (!body.ok) return sendProblem(reply, body.problem);
    if (row.host_id !== null) setSubject(request, { hostId: row.host_id, reclamationId: null });
    if (row.verdict === "stored") {
      wake();
      return reply.code(204).send();
    }
    const code: RefusalCode = row.verdict === "foreign" ? "unknownHost" : "networkNotWanted";
    await audit({
      action: "network.acknowledge",
      code,
      actor: { kind: "adapter", id: `${row.adapter}/${row.site_id}` },
      hostId: row.host_id,
      tenantId: null,
      requestId: request.id,
      address: request.clientAddress,
      facts: { host: body.value.host, interface: body.value.interface, version: body.value.version },
    });
    return sendProblem(reply, { code });
  });
}
