// Defines every use case that changes something. It parses, finds, authorizes, runs and audits, so that no act can omit one of these.
import { sqlOf } from "@/server/db/sql";
import type { Sql, SqlReader } from "@/server/db/sql";
import type { Pool } from "pg";
import type { z } from "zod";
import { decide, reachOf } from "@/server/domain/access/access";
import type { Belonging, Right } from "@/server/domain/access/access";
import { writeAudit } from "@/server/db/audit";
import type { AuditAction } from "@/server/domain/access/audit-actions";
import type { AuditEvent, AuditFacts } from "@/server/db/audit";
import { poolOf } from "@/server/db/prisma";
import type { Database, Transaction } from "@/server/db/prisma";
import { tellWithin } from "@/server/db/hot/signal";
import type { HostChanges } from "@/server/db/hot/signal";
import type { SecretBox } from "@/server/db/secrets/secret-box";
import type { IntentActor } from "@/server/domain/lifecycle/signals";
import { isAskingAction } from "@/server/domain/sites/two-people";
import { inSqlTransaction, inTransaction } from "@/server/db/transaction";
import type { Actor, Request } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { inAskingTransaction } from "@/server/usecases/assurance/policy-changes/asking-transaction";
import type { Call } from "@/server/usecases/assurance/policy-changes/asking-transaction";
import { done, inputProblem, notFound, refused } from "@/server/usecases/problem";
import type { Outcome, Problem } from "@/server/usecases/problem";

export interface ActContext<Tx = Transaction> {
  readonly tx: Tx;
  readonly secrets: SecretBox;
  readonly fakeHardware: boolean;
  readonly readsBmcHealth: boolean;
  /** Where people open the console; undefined if not known. */
  readonly publicUrl: string | undefined;
  readonly actor: Actor;
  readonly request: Request;
  /** The actor in the form that signals carry. */
  readonly by: IntentActor;
  /** Set if another person has just approved the act, which was requested against the current state of the site. */
  readonly approved?: ApprovedBy;
}

interface ApprovedBy {
  readonly approvalId: string;
  readonly personId: string;
  readonly name: string;
}

/** The target that an act found. */
export interface Target<T> {
  readonly id: string;
  readonly belongs: Belonging;
  readonly value: T;
  /** A further right that the target requires, such as for a stored bulk act; checked in addition to the act's own. */
  readonly right?: Right;
}

export interface Change {
  readonly targetId: string;
  readonly tenantId: string | null;
  readonly before: AuditFacts | null;
  readonly after: AuditFacts | null;
}

/** The result of an act. Without `changes`, nothing was changed and nothing is logged (such as a repeated act). */
export interface Acted<O> {
  readonly value: O;
  readonly changes: readonly Change[];
  /** Whom to notify, in the same statement that logs the changes. */
  readonly tell?: HostChanges;
}

/** The result of an act that made one change. */
export const acted = <O>({
  value,
  tell,
  ...change
}: Change & Omit<Acted<O>, "changes">): { readonly ok: true; readonly value: Acted<O> } =>
  done({ value, changes: [change], ...(tell === undefined ? {} : { tell }) });

/** The result of an act that found everything as it was asked for: nothing is logged. */
export const unchanged = <O>(value: O): { readonly ok: true; readonly value: Acted<O> } =>
  done({ value, changes: [] });

/** The result of a telling act that stores its change, events and notifications in one statement. */
interface Stored<O> extends Acted<O> {
  /** That statement, run instead of `tell`. Returns the value, or why the act was refused after all. */
  readonly store?: (pool: Pool, events: readonly AuditEvent[]) => Promise<Outcome<O>>;
}

interface ActDefinition<Schema extends z.ZodType, T, O, Tx, Done = Acted<O>> {
  readonly action: AuditAction;
  readonly right: Right;
  readonly input: Schema;
  /** Kind and name of the target that the input names, for a "not found" answer. */
  readonly names: (input: z.output<Schema>) => { readonly kind: string; readonly id: string };
  /** Reads the target, with a lock if the act decides on what it read. Null if there is none. */
  readonly find: (context: ActContext<Tx>, input: z.output<Schema>) => Promise<Target<T> | null>;
  readonly run: (
    context: ActContext<Tx>,
    target: T,
    input: z.output<Schema>,
  ) => Outcome<Done> | Promise<Outcome<Done>>;
  /** Called after the commit. Must not throw. */
  readonly committed?: () => void;
}

export interface Act<Input, O> {
  readonly action: AuditAction;
  readonly right: Right;
  /** Never throws because of the caller's input; throws if the database fails. */
  (backend: Backend, actor: Actor, request: Request, input: Input): Promise<Outcome<O>>;
}

/** An act that can also run within the transaction of another one, which checks the right and writes the event. */
export interface InnerAct<Input, O> extends Act<Input, O> {
  readonly within: (context: ActContext, input: unknown) => Promise<Outcome<O>>;
}

/** An act whose `find` locks nothing. */
export interface ActOnTarget<Input, O, T> extends Act<Input, O> {
  /** The act on a target that was already found in the same request, with the same columns, so that nothing is read twice. Ownership is checked as usual. */
  readonly on: (found: Target<T>) => Act<Input, O>;
}

const acts = new WeakSet<object>();

/** Whether a function was made by `defineAct`. */
export function isAct(value: unknown): boolean {
  return typeof value === "function" && acts.has(value);
}

/** The actor as named in the audit log; without sign-in there is no id. */
const auditActor = (actor: Actor): AuditEvent["actor"] => ({
  kind: actor.kind,
  id: actor.kind === "local" ? null : actor.personId,
  name: actor.name,
});

const eventOf = (actor: Actor, { requestId, address }: Request): Call["event"] => ({
  actor: auditActor(actor),
  requestId,
  address,
});

/** Logs a request that was refused before or by an act. It has no change to go with, so it is written on its own. */
export function auditRefusal(
  { database }: Backend,
  actor: Actor,
  request: Request,
  { action, targetId, problem }: { action: AuditAction; targetId: string | null; problem: Problem },
): Promise<void> {
  return writeAudit(database, {
    ...eventOf(actor, request),
    action,
    targetId,
    tenantId: actor.tenantId,
    outcome: "refused",
    before: null,
    after: { code: problem.code, detail: problem.detail },
  });
}

/**
 * Defines an act. In order: the input is parsed; a role without the right is refused before anything is read; the target is found; a target that belongs
 * to another gets "not found"; the act runs; its audit event is written in the same transaction. A refusal rolls back and is logged separately.
 */
export const defineAct = <Schema extends z.ZodType, T, O>(
  definition: ActDefinition<Schema, T, O, Transaction>,
): InnerAct<z.input<Schema>, O> =>
  Object.assign(
    makeAct(definition, isAskingAction(definition.action) ? inAskingTransaction : inTransaction),
    {
      within: async (context: ActContext, input: unknown): Promise<Outcome<O>> => {
        const parsed = definition.input.safeParse(input);
        return parsed.success
          ? carryOut(definition, null, context, parsed.data)
          : { ok: false, problem: inputProblem(parsed.error) };
      },
    },
  );

/** Like `defineAct`, with the SQL builder instead of Prisma's models, for requests that clients make by the hundred. Its `find` locks nothing. */
export const defineSqlAct = <Schema extends z.ZodType, T, O>(
  definition: ActDefinition<Schema, T, O, Sql>,
): ActOnTarget<z.input<Schema>, O, T> => makeActOnTarget(definition, inSqlTransaction);

/** Like `defineSqlAct`, for an act that only notifies or stores: its reads come first and lock nothing, and its single write needs no transaction. */
export const defineTellingAct = <Schema extends z.ZodType, T, O>(
  definition: ActDefinition<Schema, T, O, Sql, Stored<O>>,
): ActOnTarget<z.input<Schema>, O, T> =>
  makeActOnTarget(definition, (database, work) => work(sqlOf(database)));

function makeActOnTarget<Schema extends z.ZodType, T, O, Tx extends SqlReader>(
  definition: ActDefinition<Schema, T, O, Tx, Stored<O>>,
  within: Within<Tx>,
): ActOnTarget<z.input<Schema>, O, T> {
  const on = (found: Target<T>): Act<z.input<Schema>, O> =>
    makeAct(
      { ...definition, find: (_context, input) => sameTarget(found, definition.names(input).id) },
      within,
    );
  return Object.assign(makeAct(definition, within), { on });
}

function sameTarget<T>(found: Target<T>, id: string): Promise<Target<T>> {
  if (found.id !== id) throw new Error(`found ${found.id}, and asked of ${id}`);
  return Promise.resolve(found);
}

type Within<Tx> = <O>(
  database: Database,
  work: (tx: Tx) => Promise<Outcome<O>>,
  call: Call,
) => Promise<Outcome<O>>;

function makeAct<Schema extends z.ZodType, T, O, Tx extends SqlReader>(
  definition: ActDefinition<Schema, T, O, Tx, Stored<O>>,
  within: Within<Tx>,
): Act<z.input<Schema>, O> {
  const { action, right } = definition;

  const act = async (
    backend: Backend,
    actor: Actor,
    request: Request,
    input: z.input<Schema>,
  ): Promise<Outcome<O>> => {
    const { database, secrets, fakeHardware = false, readsBmcHealth = true, publicUrl } = backend;
    const personId = actor.kind === "local" ? null : actor.personId;
    const by: IntentActor = { personId, name: actor.name, requestId: request.requestId };
    const parsed = definition.input.safeParse(input);
    const result: Outcome<O> = !parsed.success
      ? { ok: false, problem: inputProblem(parsed.error) }
      : reachOf(actor.role, right) === "none"
        ? forbidden(actor, action)
        : actor.readOnly === true
          ? refused("forbidden", `This token may only read, so it may not do ${action}.`)
          : await within(
              database,
              (tx) =>
                carryOut(
                  definition,
                  database,
                  { tx, secrets, fakeHardware, readsBmcHealth, publicUrl, actor, request, by },
                  parsed.data,
                ),
              { action, actor, secrets, input, event: eventOf(actor, request) },
            );
    // A request for approval has its own event.
    if (!result.ok && result.problem.code !== "awaitsApproval")
      await auditRefusal(backend, actor, request, {
        action,
        targetId: parsed.success ? definition.names(parsed.data).id : null,
        problem: result.problem,
      });
    else if (result.ok) definition.committed?.();
    return result;
  };
  const made = Object.assign(act, { action, right });
  acts.add(made);
  return made;
}

/**
 * Runs an act for a role that has the right: finds the target, checks that the actor may act on this one, runs, and logs.
 * @param database null within another act, which is never a telling act
 */
async function carryOut<Schema extends z.ZodType, T, O, Tx extends SqlReader>(
  definition: ActDefinition<Schema, T, O, Tx, Stored<O>>,
  database: Database | null,
  context: ActContext<Tx>,
  input: z.output<Schema>,
): Promise<Outcome<O>> {
  const { action, right } = definition;
  const { tx, actor, request } = context;
  const named = definition.names(input);
  const target = await definition.find(context, input);
  if (target === null) return notFound(named.kind, named.id);
  for (const needed of target.right === undefined ? [right] : [right, target.right]) {
    const decision = decide(actor, needed, target.belongs);
    // safety: ownership: another tenant's instance is hidden
    if (decision === "hidden") return notFound(named.kind, named.id);
    if (decision === "forbidden") return forbidden(actor, action);
  }
  const result = await definition.run(context, target.value, input);
  if (!result.ok) return result;
  const { value, changes, tell, store } = result.value;
  const { approved } = context;
  const events = changes.map((change) => ({
    // The requester's address is not the approver's.
    ...eventOf(actor, approved === undefined ? request : { ...request, address: null }),
    action,
    outcome: "done" as const,
    ...change,
    ...(approved === undefined
      ? {}
      : { after: { ...change.after, approval: approved.approvalId, approvedBy: approved.name } }),
  }));
  if (store !== undefined && database !== null) return store(poolOf(database), events);
  await (tell === undefined ? writeAudit(tx, ...events) : tellWithin(tx, tell, events));
  return { ok: true, value };
}

const forbidden = (actor: Actor, action: AuditAction) =>
  refused("forbidden", `The role ${actor.role} may not do ${action}.`);
