// Where agents' polls wait for their next command: woken in this process by a function call, across processes by LISTEN
// (docs/design/datapath.md#machine-surfaces).
import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import { Client, type Pool } from "pg";
import { command as commandSchema, type Command } from "@/server/domain/agents/protocol";
import { commandsOf, notifyCommands } from "@/server/db/hot/agent/poll";

/** Called by the controller after the commit that wrote a command. */
export interface CommandPublisher {
  publish(hostId: string, bootEpoch: number, command: unknown): void;
}

export interface WaitFor {
  readonly hostId: string;
  readonly bootEpoch: number;
  /** Ids of commands that the agent already has. */
  readonly known: ReadonlySet<string>;
  /** The command that this request's statement saw, whether or not the agent has it: only a different one is new. */
  readonly seen: string | null;
  readonly timeoutMs: number;
  /** `mark()` from before that statement, so that nothing between it and the wait is lost. */
  readonly since: number;
  readonly signal?: AbortSignal;
}

interface Waiter extends WaitFor {
  readonly end: (command: Command | null) => void;
}

export interface CommandHubOptions {
  readonly databaseUrl: string;
  readonly pool: Pool;
  readonly log: (level: "warn" | "info", message: string) => void;
  readonly onWaiting?: (count: number) => void;
  /** How often it looks for commands whose notification was lost with the process that sent it; default 5 s. */
  readonly lookAllMs?: number;
}

const channel = "reclaim_command";
/** Minimum interval between a process's looks at the database, and between its notifications. */
const batchMs = 50;
const usualLookAllMs = 5_000;
const rememberMs = 30_000;
const reconnectMs = 1_000;
/** A repeated poll beyond this ends the oldest one, whose connection is usually gone. */
const waitersPerHost = 2;
/** PostgreSQL accepts less than 8,000 bytes; an id has 36. */
const hostsPerNotification = 200;

export class CommandHub implements CommandPublisher {
  readonly #id = randomUUID();
  readonly #waiting = new Map<string, Set<Waiter>>();
  /** Recent commands for hosts that nobody waited for here, and when. `command` null: another process wrote one. */
  readonly #recent = new Map<
    string,
    { readonly at: number; readonly bootEpoch: number; readonly command: Command | null }
  >();
  #toLook = new Set<string>();
  #toTell = new Set<string>();
  #timer: NodeJS.Timeout | null = null;
  #sweep: NodeJS.Timeout | null = null;
  #client: Client | null = null;
  #count = 0;
  #closed = false;

  readonly #options: CommandHubOptions;

  constructor(options: CommandHubOptions) {
    this.#options = options;
  }

  /** Starts to listen. Polls are also answered without it, only later. */
  async start(): Promise<void> {
    this.#sweep = setInterval(() => this.#lookAtAll(), this.#options.lookAllMs ?? usualLookAllMs);
    this.#sweep.unref();
    await this.#listen();
  }

  /** Ends all waits with `null`. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#sweep !== null) clearInterval(this.#sweep);
    this.release();
    await this.#client?.end().catch(() => undefined);
  }

  /** Answers every waiting poll, because the server is about to stop. */
  release(): void {
    for (const waiters of [...this.#waiting.values()]) for (const waiter of [...waiters]) waiter.end(null);
  }

  mark(): number {
    return performance.now();
  }

  /** Throws for a command that is not in the protocol, which is a bug of its writer; no agent sees it. */
  publish(hostId: string, bootEpoch: number, command: unknown): void {
    const parsed = command === null ? null : commandSchema.parse(command);
    if (parsed === null || parsed.kind === "none") return;
    this.#remember(hostId, bootEpoch, parsed);
    if (this.#deliver(hostId, bootEpoch, parsed)) return;
    this.#toTell.add(hostId);
    this.#schedule();
  }

  /** The next command; null on timeout, if the caller disconnects, or if the server stops. */
  wait(request: WaitFor): Promise<Command | null> {
    const recent = this.#recent.get(request.hostId);
    const news = recent !== undefined && recent.at >= request.since;
    if (news && recent.command !== null && isNew(recent.command, recent.bootEpoch, request))
      return Promise.resolve(recent.command);
    if (request.timeoutMs <= 0 || request.signal?.aborted || this.#closed) return Promise.resolve(null);
    return new Promise((resolve) => {
      const timer = setTimeout(() => waiter.end(null), request.timeoutMs);
      const leave = () => waiter.end(null);
      const waiter: Waiter = {
        ...request,
        end: (command) => {
          clearTimeout(timer);
          request.signal?.removeEventListener("abort", leave);
          this.#remove(waiter);
          resolve(command);
        },
      };
      request.signal?.addEventListener("abort", leave);
      this.#add(waiter);
      if (news && recent.command === null) this.#look(request.hostId);
    });
  }

  #add(waiter: Waiter): void {
    const waiters = this.#waiting.get(waiter.hostId) ?? new Set();
    this.#waiting.set(waiter.hostId, waiters);
    const [oldest] = waiters;
    if (oldest !== undefined && waiters.size >= waitersPerHost) oldest.end(null);
    this.#waiting.set(waiter.hostId, waiters.add(waiter));
    this.#options.onWaiting?.((this.#count += 1));
  }

  #remove(waiter: Waiter): void {
    const waiters = this.#waiting.get(waiter.hostId);
    if (waiters?.delete(waiter) !== true) return;
    if (waiters.size === 0) this.#waiting.delete(waiter.hostId);
    this.#options.onWaiting?.((this.#count -= 1));
  }

  /** Whether somebody here waited for it. */
  #deliver(hostId: string, bootEpoch: number, command: Command): boolean {
    let delivered = false;
    for (const waiter of [...(this.#waiting.get(hostId) ?? [])]) {
      if (!isNew(command, bootEpoch, waiter)) continue;
      waiter.end(command);
      delivered = true;
    }
    return delivered;
  }

  #remember(hostId: string, bootEpoch: number, command: Command | null): void {
    const at = performance.now();
    this.#recent.delete(hostId); // keeps the map in order of time
    this.#recent.set(hostId, { at, bootEpoch, command });
    for (const [old, entry] of this.#recent) {
      if (at - entry.at < rememberMs) break;
      this.#recent.delete(old);
    }
  }

  #look(hostId: string): void {
    this.#toLook.add(hostId);
    this.#schedule();
  }

  #lookAtAll(): void {
    for (const hostId of this.#waiting.keys()) this.#toLook.add(hostId);
    if (this.#toLook.size > 0) this.#schedule();
  }

  #schedule(): void {
    if (this.#timer !== null || this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      const tell = [...this.#toTell];
      const look = [...this.#toLook];
      this.#toTell = new Set();
      this.#toLook = new Set();
      this.#work(tell, look).catch((error: unknown) =>
        this.#options.log("warn", `commands: ${messageOf(error)}`),
      );
    }, batchMs);
  }

  async #work(tell: readonly string[], look: readonly string[]): Promise<void> {
    for (let from = 0; from < tell.length; from += hostsPerNotification) {
      await notifyCommands(
        this.#options.pool,
        channel,
        [this.#id, ...tell.slice(from, from + hostsPerNotification)].join(" "),
      );
    }
    const waiters = look.flatMap((hostId) => [...(this.#waiting.get(hostId) ?? [])]);
    if (waiters.length === 0) return;
    const rows = await commandsOf(
      this.#options.pool,
      waiters.map((w) => w.hostId),
      waiters.map((w) => w.bootEpoch),
      waiters.map((w) => w.seen),
    );
    for (const row of rows) this.#deliver(row.host_id, row.boot_epoch, commandSchema.parse(row.command));
  }

  async #listen(): Promise<void> {
    if (this.#closed) return;
    const client = new Client({
      connectionString: this.#options.databaseUrl,
      application_name: "reclaim-commands",
      keepAlive: true,
    });
    this.#client = client;
    let broken = false;
    const again = () => {
      if (broken || this.#closed) return;
      broken = true;
      this.#options.log("warn", "lost the connection that listens for commands");
      setTimeout(() => void this.#listen(), reconnectMs).unref();
    };
    client.on("error", again);
    client.on("end", again);
    client.on("notification", ({ payload }) => this.#heard(payload ?? ""));
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
      this.#lookAtAll(); // what was notified meanwhile
    } catch {
      again();
    }
  }

  #heard(payload: string): void {
    const [sender, ...hostIds] = payload.split(" ");
    if (sender === this.#id) return;
    for (const hostId of hostIds) {
      if (this.#waiting.has(hostId)) this.#look(hostId);
      else this.#remember(hostId, 0, null);
    }
  }
}

function isNew(command: Command, bootEpoch: number, to: WaitFor): boolean {
  return command.kind !== "none" && bootEpoch === to.bootEpoch && !to.known.has(command.id);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
