// `/agent/v1`: the HTTP form of the agent's calls (docs/design/agent.md#protocol).
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import {
  discoveryBody,
  drivesBody,
  logPieceLimitBytes,
  logsBody,
  pollBody,
  progressBody,
  registerBody,
  resultBody,
  validationBody,
} from "@/server/domain/agents/protocol";
import { activationBody, identityBody, quoteBody, wantedBody } from "@/server/domain/attestation/protocol";
import type { AgentServer } from "@/server/agents/agent-server";
import { quoteLimitBytes } from "@/server/domain/attestation/limits";
import type { AttestationServer } from "@/server/agents/attestation-server";
import type { Caller } from "@/server/agents/calls";
import type { Outcome } from "@/server/agents/refusal";
import { bearerToken, tokenHash } from "@/server/domain/access/tokens";
import { parse } from "@/server/surfaces/machine/http/parse";
import { sendProblem } from "@/server/surfaces/machine/http/problems";
import { tokenFirst } from "@/server/surfaces/machine/http/token-first";
import { setSubject } from "@/server/surfaces/machine/http/subject";

const stepRunPath = z.strictObject({ id: z.guid("must be the id of a step run") });

/** The reason for aborting a caller's signal. A text, because creating the standard error costs more than everything else at the end of a poll. */
const connectionClosed = "the connection was closed";

function callerOf(request: FastifyRequest, reply: FastifyReply, token: string): Caller {
  const gone = new AbortController();
  reply.raw.once("close", () => gone.abort(connectionClosed));
  return {
    token: tokenHash(token),
    requestId: request.id,
    address: request.clientAddress,
    signal: gone.signal,
    note: (subject) => setSubject(request, subject),
  };
}

interface AgentRoute<Schema extends z.ZodType, Value> {
  readonly path: string;
  readonly schema: Schema;
  readonly carryOut: (caller: Caller, body: z.output<Schema>, stepRunId: string) => Promise<Outcome<Value>>;
  /** Undefined: 204. */
  readonly answer: (value: Value) => unknown;
  readonly bodyLimit?: number;
  /** Its token is good for a single call, so it is not looked up for a body that is invalid anyway. */
  readonly spendsToken?: true;
}

/** Answers 401 before it says anything about the body. */
const answerCall =
  <Schema extends z.ZodType, Value>(agents: AgentServer, route: AgentRoute<Schema, Value>) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const token = bearerToken(request.headers.authorization);
    if (token === null) return sendProblem(reply, { code: "unauthorized" });
    const caller = callerOf(request, reply, token);
    const where = route.path.includes(":id") ? parse(stepRunPath, request.params, "path") : null;
    const body = parse(route.schema, request.body, "body");
    if (where?.ok === false || !body.ok) {
      const strange = route.spendsToken === true ? null : await agents.strange(caller);
      if (strange !== null) return sendProblem(reply, strange.problem);
      return sendProblem(
        reply,
        where?.ok === false ? where.problem : body.ok ? { code: "invalid" } : body.problem,
      );
    }
    const outcome = await route.carryOut(caller, body.value, where?.value.id ?? "");
    if (!outcome.ok) return sendProblem(reply, outcome.problem);
    const value = route.answer(outcome.value);
    return value === undefined ? reply.code(204).send() : reply.send(value);
  };

const itself = (value: unknown) => value;
const nextCommand = (value: unknown) => ({ command: value });
const nothing = () => undefined;

export function agentRoutes(app: FastifyInstance, agents: AgentServer, attestation: AttestationServer): void {
  const onRequest = tokenFirst((token) => agents.mayBelong(tokenHash(token)));
  const post = <Schema extends z.ZodType, Value>(
    path: string,
    schema: Schema,
    carryOut: AgentRoute<Schema, Value>["carryOut"],
    answer: AgentRoute<Schema, Value>["answer"],
    options: Pick<AgentRoute<Schema, Value>, "bodyLimit" | "spendsToken"> = {},
  ): void => {
    app.post(
      `/agent/v1/${path}`,
      { onRequest, ...(options.bodyLimit === undefined ? {} : { bodyLimit: options.bodyLimit }) },
      answerCall(agents, { path, schema, carryOut, answer, ...options }),
    );
  };
  post("register", registerBody, (caller, body) => agents.register(caller, body), itself, {
    spendsToken: true,
  });
  post("poll", pollBody, (caller, body) => agents.poll(caller, body), nextCommand);
  post(
    "step-runs/:id/progress",
    progressBody,
    (caller, body, id) => agents.progress(caller, id, body),
    itself,
  );
  post(
    "step-runs/:id/result",
    resultBody,
    (caller, body, id) => agents.result(caller, id, body),
    nextCommand,
  );
  post("discovery", discoveryBody, (caller, body) => agents.discovery(caller, body), nextCommand);
  post("validation", validationBody, (caller, body) => agents.validation(caller, body), nextCommand);
  post("drives", drivesBody, (caller, body) => agents.drives(caller, body), nextCommand);
  post("attestation/wanted", wantedBody, (caller) => attestation.wanted(caller), itself);
  post("attestation/identity", identityBody, (caller, body) => attestation.identity(caller, body), itself);
  post(
    "attestation/activation",
    activationBody,
    (caller, body) => attestation.activation(caller, body),
    itself,
  );
  post("attestation/quote", quoteBody, (caller, body) => attestation.quote(caller, body), itself, {
    bodyLimit: quoteLimitBytes,
  });
  post("logs", logsBody, (caller, body) => agents.logs(caller, body), nothing, {
    bodyLimit: logPieceLimitBytes,
  });
}
