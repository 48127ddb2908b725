// `/repair-leases/v1`: external repair systems take hosts, write about them, and return them (docs/api.md#repair-leases).
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { AuditRefusal, RefusedAction } from "@/server/agents/refusal";
import { bearerToken } from "@/server/domain/access/tokens";
import { ticketActions, ticketCategories } from "@/server/domain/break-fix/categories";
import {
  neededText,
  ticketAudiences,
  ticketParts,
  ticketStates,
  ticketText as writtenText,
} from "@/server/domain/break-fix/ticket";
import { hostLabels } from "@/server/domain/hosts/labels/host-labels";
import { healthIssue } from "@/server/domain/repair/health-issue";
import { leaseText, ticketText } from "@/server/domain/repair/leases/lease";
import { statedOutcomes } from "@/server/domain/repair/repairs";
import type { Backend } from "@/server/usecases/backend";
import { findHostInReach } from "@/server/usecases/repair/external-systems";
import {
  authenticateSystem,
  labelLeased,
  noteLease,
  readOutside,
  returnHost,
  takeHost,
  updateLeasedTicket,
} from "@/server/usecases/repair/leases/outside";
import type { OfHost } from "@/server/usecases/repair/leases/outside";
import { notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { parse } from "@/server/surfaces/machine/http/parse";
import { sendProblem } from "@/server/surfaces/machine/http/problems";
import { tokenFirst } from "@/server/surfaces/machine/http/token-first";
import { setSubject } from "@/server/surfaces/machine/http/subject";

export interface LeaseRouteDeps {
  readonly backend: Backend;
  readonly audit: AuditRefusal;
}

const ofHost = z.object({ host: z.string().min(1).max(128) });
const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const leaseId = z.guid("must be the id of a lease");

const taken = z.strictObject({ reason: leaseText, ticket: ticketText.optional(), until: moment.optional() });
const noted = z.strictObject({
  note: leaseText.optional(),
  ticket: ticketText.nullish(),
  until: moment.nullish(),
});
const labelled = z.strictObject({ labels: hostLabels });
const updated = z.strictObject({
  note: writtenText(8192).default(""),
  audience: z.enum(ticketAudiences).optional(),
  state: z.enum(ticketStates).exclude(["closed"]).optional(),
  category: z.enum(ticketCategories).optional(),
  action: z.enum(ticketActions).optional(),
  parts: ticketParts.optional(),
  externalRef: neededText(128).nullable().optional(),
});
const ofTicket = z.object({ ticket: z.string().min(1).max(64) });
/** `outcome` omitted: the label says it. `issue`: what is still wrong with the machine. */
const returned = z
  .strictObject({ outcome: z.enum(statedOutcomes).optional(), issue: healthIssue.optional() })
  .nullish();

interface Call extends OfHost {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** The start of every call: whose token it is, and which host of its site it names. */
function callsOf({ backend: { database }, audit }: LeaseRouteDeps) {
  /** Null: already answered. */
  const open = async (request: FastifyRequest, reply: FastifyReply): Promise<Call | null> => {
    const token = bearerToken(request.headers.authorization);
    const address = request.clientAddress;
    const system = token === null ? null : await authenticateSystem(database, token, address);
    const params = parse(ofHost, request.params, "path");
    const hostId =
      system !== null && params.ok ? await findHostInReach(database, system, params.value.host) : null;
    if (system === null) sendProblem(reply, { code: "unauthorized" });
    else if (hostId === null) sendProblem(reply, { code: "unknownHost" });
    if (system === null || hostId === null) return null;
    setSubject(request, { hostId, reclamationId: null });
    const by = { requestId: request.id, address };
    return { request, reply, system, by, hostId };
  };
  const answer = async <T>(
    { request, reply, system, hostId }: Call,
    action: RefusedAction,
    outcome: Outcome<T>,
    send: (value: T) => unknown,
  ): Promise<unknown> => {
    if (outcome.ok) return send(outcome.value);
    const { code: problem, detail } = outcome.problem;
    if (problem !== "conflict") return sendProblem(reply, outcome.problem);
    const code = action === "lease.take" ? "hostNotLeasable" : "leaseRefused";
    await audit({
      action,
      code,
      actor: { kind: "adapter", id: system.name },
      hostId,
      tenantId: null,
      requestId: request.id,
      address: request.clientAddress,
      facts: { detail },
    });
    return sendProblem(reply, { code, detail });
  };
  return { open, answer };
}

/** The lease that a write names. */
const namedLease = ({ request }: Call) => parse(leaseId, request.headers["reclaim-lease"], "Reclaim-Lease");

/** Writes under a lease. */
const writesOf =
  ({ open, answer }: ReturnType<typeof callsOf>) =>
  <Schema extends z.ZodType>(
    action: RefusedAction,
    schema: Schema,
    work: (call: Call & { readonly leaseId: string }, body: z.output<Schema>) => Promise<Outcome<null>>,
  ) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const call = await open(request, reply);
    if (call === null) return reply;
    const [lease, body] = [namedLease(call), parse(schema, request.body ?? null, "body")];
    if (!lease.ok) return sendProblem(reply, lease.problem);
    if (!body.ok) return sendProblem(reply, body.problem);
    const written = await work({ ...call, leaseId: lease.value }, body.value);
    return answer(call, action, written, () => reply.code(204).send());
  };

const address = "/repair-leases/v1/hosts/:host";

export function leaseRoutes(app: FastifyInstance, deps: LeaseRouteDeps): void {
  const { database } = deps.backend;
  const calls = callsOf(deps);
  const { open, answer } = calls;
  const write = writesOf(calls);
  const onRequest = tokenFirst(
    async (token, { clientAddress }) => (await authenticateSystem(database, token, clientAddress)) !== null,
  );

  app.get(address, async (request, reply) => {
    const call = await open(request, reply);
    if (call === null) return reply;
    const host = await readOutside(database, call.system, call.hostId);
    return host === null ? sendProblem(reply, { code: "unknownHost" }) : reply.send(host);
  });

  app.post(address, { onRequest }, async (request, reply) => {
    const call = await open(request, reply);
    if (call === null) return reply;
    const body = parse(taken, request.body, "body");
    if (!body.ok) return sendProblem(reply, body.problem);
    const { reason, ticket = null, until = null } = body.value;
    const lease = await takeHost(database, { ...call, terms: { reason, ticket, until } });
    return answer(call, "lease.take", lease, ({ id, notice }) =>
      reply.code(201).send({ hostId: call.hostId, lease: id, ...(notice === null ? {} : { notice }) }),
    );
  });

  app.patch(
    address,
    { onRequest },
    write("lease.note", noted, (call, note) => noteLease(database, { ...call, note })),
  );
  app.put(
    `${address}/labels`,
    { onRequest },
    write("lease.label", labelled, (call, { labels }) => labelLeased(database, { ...call, labels })),
  );
  app.post(
    `${address}/tickets/:ticket`,
    { onRequest },
    write("lease.ticket", updated, async (call, { note, audience, ...change }) => {
      const params = parse(ofTicket, call.request.params, "path");
      return params.ok
        ? updateLeasedTicket(database, {
            ...call,
            ticket: params.value.ticket,
            update: { note, audience, change },
          })
        : notFound("ticket", "");
    }),
  );
  app.delete(
    address,
    { onRequest },
    write("lease.return", returned, (call, body) =>
      returnHost(database, { ...call, outcome: body?.outcome ?? null, issue: body?.issue ?? null }),
    ),
  );
}
