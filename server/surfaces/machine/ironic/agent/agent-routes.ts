// `/v1/lookup`, `/v1/heartbeat` and `/v1/continue_inspection`: what Ironic's own agent calls, without a sign-in (docs/api-ironic.md#ironics-agent).
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { guestHeartbeat, guestInspection } from "@/server/domain/agents/ironic/wire";
import type { IronicDeps } from "@/server/surfaces/machine/ironic/deps";
import { readBody } from "@/server/surfaces/machine/ironic/wire/body";
import { fault } from "@/server/surfaces/machine/ironic/wire/errors";
import { linksTo } from "@/server/surfaces/machine/ironic/wire/links";

/** Passed to the agent, which sends at least three heartbeats in this time. */
const heartbeatTimeoutSeconds = 60;
const maxAddresses = 64;

const mac = z
  .string()
  .transform((text) => text.trim().toLowerCase())
  .pipe(z.string().regex(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/));

const lookupQuery = z.object({
  addresses: z
    .string()
    .transform((text) => text.split(",").filter((part) => part.trim() !== ""))
    .pipe(z.array(mac).min(1).max(maxAddresses)),
  node_uuid: z.guid().optional(),
});

const heartbeatPath = z.object({ ident: z.guid() });

const guestSince = 22;

/** The same answer for every agent that is not expected, whatever the reason. */
const unknown = () => fault(404, "The requested resource was not found.");

export function agentRoutes(app: FastifyInstance, { guests, baseUrl }: IronicDeps): void {
  const config = { ironicPublic: true, ironicSince: guestSince };
  app.get("/lookup", { config }, async (request, reply) => {
    const query = lookupQuery.safeParse(request.query);
    if (!query.success) throw fault(400, "addresses must be MAC addresses, and node_uuid a UUID");
    const { addresses: macs, node_uuid: hostId = null } = query.data;
    const found = await guests.lookup({ macs, hostId, address: request.clientAddress }, request.id);
    if (found === null) throw unknown();
    const { name: _, driver_info: __, extra: ___, ...node } = found.node;
    return reply.send({
      node: { ...node, links: linksTo(baseUrl, `nodes/${node.uuid}`) },
      config: {
        metrics: {},
        metrics_statsd: {},
        heartbeat_timeout: heartbeatTimeoutSeconds,
        agent_token: found.token,
        agent_token_required: true,
      },
    });
  });

  app.post("/heartbeat/:ident", { config }, async (request, reply) => {
    const path = heartbeatPath.safeParse(request.params);
    if (!path.success) throw unknown();
    const body = readBody(request, guestHeartbeat);
    const from = { hostId: path.data.ident, address: request.clientAddress, requestId: request.id };
    const answer = await guests.heartbeat(from, body);
    if (answer.kind === "unknown") throw unknown();
    if (answer.kind === "refused") throw fault(400, answer.message);
    return reply.code(202).send();
  });

  // Sent without a version: the agent's inspection has none.
  app.post("/continue_inspection", { config: { ironicPublic: true } }, async (request, reply) => {
    const body = readBody(request, guestInspection);
    const macs = body.inventory.interfaces.flatMap(({ mac_address: address }) => address ?? []);
    const uuid = await guests.inspected({ macs, hostId: null, address: request.clientAddress });
    if (uuid === null) throw unknown();
    return reply.code(202).send({ uuid });
  });
}
