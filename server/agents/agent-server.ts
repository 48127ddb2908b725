// The server side of the agent's protocol: one method per call, independent of the wire format (docs/design/agent.md#protocol).
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import {
  command as commandSchema,
  type Command,
  type DiscoveryBody,
  type DrivesBody,
  type LogsBody,
  type PollBody,
  type ProgressBody,
  type RegisterAnswer,
  type RegisterBody,
  type ResultBody,
  type ValidationBody,
} from "@/server/domain/agents/protocol";
import {
  askedBy,
  executionOf,
  hex,
  type AgentServerOptions,
  type Caller,
  type Subject,
} from "@/server/agents/calls";
import { ProgressWriter } from "@/server/agents/progress-writer";
import { granted, refused, type Outcome, type Refused, type RefusedAction } from "@/server/agents/refusal";
import { refusalOf, registerOnce, tellsHost } from "@/server/agents/registration";
import { newToken } from "@/server/domain/access/tokens";
import type { RefusalCode } from "@/server/domain/problems";
import {
  storeDiscovery,
  storeDrives,
  storeLog,
  storeValidation,
  type AnswerRow,
} from "@/server/db/hot/agent/answer";
import { pollAgent } from "@/server/db/hot/agent/poll";
import { storeResult } from "@/server/db/hot/agent/report";
import { findMovedSession, findSession, isKnownToken } from "@/server/db/hot/agent/session";
import type { AgentQuestion } from "@/server/db/hot/agent/session";

/**
 * How long an answer waits for the next command. The budget says 100 ms (docs/design/datapath.md#budget). But an agent that gets "none" asks again at
 * once, so on a busy server a short wait costs one poll per answer, while a longer one costs nothing if the command is quick (docs/adr/0001).
 */
const nextCommandMs = 1_000;
const none: Command = { kind: "none" };
const tries = 4;

export class AgentServer {
  readonly #progress: ProgressWriter;

  readonly #options: AgentServerOptions;

  constructor(options: AgentServerOptions) {
    this.#options = options;

    this.#progress = new ProgressWriter(options.pool, options.now, options.onError);
  }

  start(): void {
    this.#progress.start();
  }

  async close(): Promise<void> {
    await this.#progress.close();
  }

  /** Null if the token belongs to a session of this address; used for a request that is refused before it is carried out. */
  async strange(caller: Caller): Promise<Refused | null> {
    const session = await findSession(this.#options.pool, this.#asked(caller));
    return session === undefined ? this.#stranger(caller) : null;
  }

  /** Whether it is worth receiving a body for this token. */
  async mayBelong(token: Buffer): Promise<boolean> {
    const [row] = await isKnownToken(this.#options.pool, hex(token));
    return row?.known === true;
  }

  async register(caller: Caller, body: RegisterBody): Promise<Outcome<RegisterAnswer>> {
    const since = this.#options.hub.mark();
    const sessionToken = newToken();
    const row = await registerOnce(this.#options.pool, caller, this.#options.machineUrl, body, sessionToken);
    if (row === null) return refused("unauthorized");
    caller.note({ hostId: row.host_id, reclamationId: row.reclamation_id });
    const facts = {
      verdict: row.verdict,
      ...(row.verdict === "elsewhere" ? { from: caller.address, boundTo: row.bound_to ?? "none" } : {}),
      serial: body.identity.serial,
      systemUuid: body.identity.systemUuid,
    };
    if (tellsHost(row.verdict)) this.#options.wake();
    const code = refusalOf[row.verdict];
    if (code !== null) return this.#refuse(caller, row, "boot.register", code, facts);
    this.#options.heard();
    const current = row.command_epoch === row.boot_epoch ? row.command : null;
    const command = await this.#next(caller, row, current, () => false, nextCommandMs, since);
    return granted({ sessionToken, bootEpoch: row.boot_epoch, heartbeatMs: row.heartbeat_ms, command });
  }

  /** Long poll: held open until there is a command or it times out. An agent whose step is no longer wanted is told to stop it. */
  async poll(caller: Caller, body: PollBody): Promise<Outcome<Command>> {
    const since = this.#options.hub.mark();
    const working = body.working === null ? null : executionOf(body.working);
    const row = await pollAgent(this.#options.pool, {
      ...this.#asked(caller),
      step_run_id: working?.stepRunId ?? null,
      attempt: working?.attempt ?? null,
    });
    if (row === undefined) return this.#stranger(caller);
    this.#options.heard();
    caller.note({ hostId: row.host_id, reclamationId: null });
    const known = new Set(body.working === null ? body.finished : [...body.finished, body.working]);
    if (working !== null && row.wanted === false && row.command === null) {
      const id = `abort:${body.working ?? ""}`;
      if (!known.has(id)) return granted({ kind: "abort", id, ...working });
    }
    return granted(
      await this.#next(
        caller,
        row,
        row.command,
        (command) => known.has(command.id),
        this.#options.longPollMs,
        since,
        known,
      ),
    );
  }

  async progress(
    caller: Caller,
    stepRunId: string,
    body: ProgressBody,
  ): Promise<Outcome<{ abort: boolean }>> {
    const done = await this.#progress.put(this.#asked(caller), stepRunId, body);
    if (done.kind === "unauthorized") return this.#stranger(caller);
    if (done.kind === "held") return granted({ abort: false });
    const { row } = done;
    caller.note({ hostId: row.host_id, reclamationId: row.reclamation_id });
    const facts = { stepRunId, attempt: body.attempt, sequence: body.sequence };
    switch (row.verdict) {
      case "stored":
      case "same": {
        const command = row.command === null ? none : commandSchema.parse(row.command);
        return granted({
          abort:
            command.kind === "abort" && command.stepRunId === stepRunId && command.attempt === body.attempt,
        });
      }
      case "unknown":
        return this.#refuse(caller, row, "agent.progress", "unknownAttempt", facts);
      case "late":
        return this.#refuse(caller, row, "agent.progress", "outOfOrder", facts);
      case "full":
        return this.#refuse(caller, row, "agent.progress", "journalFull", facts);
      case "over":
      case "moved":
        return this.#refuse(caller, row, "agent.progress", "attemptOver", facts);
    }
  }

  /** Stores the result as it came. The same result again gets the same answer; a different one is refused. */
  async result(caller: Caller, stepRunId: string, body: ResultBody): Promise<Outcome<Command>> {
    const since = this.#options.hub.mark();
    this.#progress.forget(this.#asked(caller), stepRunId, body.attempt);
    const hash = createHash("sha256")
      .update(canonicalize(body) ?? "", "utf8")
      .digest("hex");
    const store = () =>
      storeResult(this.#options.pool, {
        ...this.#asked(caller),
        step_run_id: stepRunId,
        attempt: body.attempt,
        report: body,
        report_hash: hash,
        journal: body.journal,
      });
    let row = await store();
    for (let count = 1; row?.verdict === "moved" && count < tries; count += 1) row = await store();
    if (row === undefined) return this.#stranger(caller);
    caller.note({ hostId: row.host_id, reclamationId: row.reclamation_id });
    const facts = { stepRunId, attempt: body.attempt, reportHash: hash };
    switch (row.verdict) {
      case "stored":
        this.#options.wake();
        break;
      case "same":
        break;
      case "unknown":
        return this.#refuse(caller, row, "agent.result", "unknownAttempt", facts);
      case "different":
        return this.#refuse(caller, row, "agent.result", "differentReport", facts);
      case "over":
        return this.#refuse(caller, row, "agent.result", "attemptOver", facts);
      case "moved":
        // A refusal would be final although the outcome is still unknown: the agent keeps its result and sends it again.
        throw new Error(`attempt ${body.attempt} of step run ${stepRunId} changes on every read`);
    }
    const ofThis = (command: Command) =>
      command.kind === "execute" && command.stepRunId === stepRunId && command.attempt === body.attempt;
    return granted(await this.#next(caller, row, row.command, ofThis, nextCommandMs, since));
  }

  async discovery(caller: Caller, body: DiscoveryBody): Promise<Outcome<Command>> {
    const since = this.#options.hub.mark();
    const row = await storeDiscovery(this.#options.pool, {
      ...this.#asked(caller),
      answers: body.command,
      inventory: body.inventory,
    });
    return this.#answered(caller, row, "agent.discovery", body.command, since);
  }

  async validation(caller: Caller, body: ValidationBody): Promise<Outcome<Command>> {
    const since = this.#options.hub.mark();
    const row = await storeValidation(this.#options.pool, {
      ...this.#asked(caller),
      answers: body.command,
      tests: body.tests,
      content: body.content ?? null,
    });
    return this.#answered(caller, row, "agent.validation", body.command, since);
  }

  async drives(caller: Caller, { command, ...said }: DrivesBody): Promise<Outcome<Command>> {
    const since = this.#options.hub.mark();
    const row = await storeDrives(this.#options.pool, { ...this.#asked(caller), answers: command, said });
    return this.#answered(caller, row, "agent.drives", command, since);
  }

  async logs(caller: Caller, body: LogsBody): Promise<Outcome<null>> {
    const row = await storeLog(this.#options.pool, {
      ...this.#asked(caller),
      sequence: body.sequence,
      text: body.text,
    });
    if (row === undefined) return this.#stranger(caller);
    caller.note({ hostId: row.host_id, reclamationId: null });
    return granted(null);
  }

  #asked(caller: Caller): AgentQuestion {
    return askedBy(caller, this.#options.machineUrl);
  }

  async #answered(
    caller: Caller,
    row: AnswerRow | undefined,
    action: RefusedAction,
    answers: string,
    since: number,
  ): Promise<Outcome<Command>> {
    if (row === undefined) return this.#stranger(caller);
    caller.note({ hostId: row.host_id, reclamationId: row.reclamation_id });
    if (!row.stored) return this.#refuse(caller, row, action, "notAsked", { command: answers });
    this.#options.wake();
    return granted(
      await this.#next(caller, row, row.command, (command) => command.id === answers, nextCommandMs, since),
    );
  }

  /** Returns `current` if the agent does not have it yet, else the next command within `timeoutMs`, else none. */
  async #next(
    caller: Caller,
    host: { host_id: string; boot_epoch: number },
    current: unknown,
    has: (command: Exclude<Command, { kind: "none" }>) => boolean,
    timeoutMs: number,
    since: number,
    known: ReadonlySet<string> = new Set(),
  ): Promise<Command> {
    const command = current === null ? none : commandSchema.parse(current);
    if (command.kind !== "none" && !has(command)) return command;
    const seen = command.kind === "none" ? null : command.id;
    const hasToo = seen === null ? known : new Set([...known, seen]);
    const next = await this.#options.hub.wait({
      hostId: host.host_id,
      bootEpoch: host.boot_epoch,
      known: hasToo,
      seen,
      timeoutMs,
      since,
      signal: caller.signal,
    });
    return next ?? none;
  }

  /** The refusal of a call for which no session was found: nobody's token, or one that is used from another address than the one that registered. */
  async #stranger(caller: Caller): Promise<Refused> {
    const { token, address } = this.#asked(caller);
    const [moved] = await findMovedSession(this.#options.pool, token, address);
    if (moved === undefined) return refused("unauthorized");
    caller.note({ hostId: moved.host_id, reclamationId: moved.reclamation_id });
    const facts = { from: caller.address, boundTo: moved.address };
    return this.#refuse(caller, moved, "agent.call", "addressChanged", facts);
  }

  async #refuse(
    caller: Caller,
    row: Subject,
    action: RefusedAction,
    code: RefusalCode,
    facts: Readonly<Record<string, string | number>>,
  ): Promise<Refused> {
    await this.#options.audit({
      action,
      code,
      actor: { kind: "agent", id: `${row.host_id}/${row.boot_epoch}` },
      hostId: row.host_id,
      tenantId: row.tenant_id,
      requestId: caller.requestId,
      address: caller.address,
      facts,
    });
    return refused(code);
  }
}
