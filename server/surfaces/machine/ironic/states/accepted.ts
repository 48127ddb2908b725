// The answer to a request that the controller carries out: 202 without a body.
import type { FastifyReply } from "fastify";
import type { IronicDeps } from "@/server/surfaces/machine/ironic/deps";

/** The states are where to look. The client fails on a 202 with a body. */
export const sendAccepted = (
  reply: FastifyReply,
  { baseUrl }: Pick<IronicDeps, "baseUrl">,
  ident: string,
): FastifyReply =>
  reply
    .code(202)
    .header("location", `${baseUrl}/v1/nodes/${encodeURIComponent(ident)}/states`)
    .send();
