// The agent: registers once per boot, carries out one command after the other, and keeps listening meanwhile (docs/design/agent.md).
import type { Command, ExecuteCommand, ResultBody } from "@/server/domain/agents/protocol";
import { proveIdentity } from "@/agent/attestation/prove-identity";
import { inventoryWhenReadable } from "@/agent/inventory";
import { heardWhile, listenAfterMs } from "@/agent/protocol/heard-while";
import { isOver, SessionOver, Stopped } from "@/agent/protocol/ends";
import { LogBuffer } from "@/agent/protocol/log-buffer";
import type { Reply } from "@/agent/protocol/call";
import { Server } from "@/agent/protocol/server";
import { StepReporter } from "@/agent/protocol/step-reporter";
import { noSiteSteps, type SiteSteps } from "@/agent/site-steps/site-steps";
import { lookAtDrives } from "@/agent/steps/look";
import { findStep, hardwareManagers } from "@/agent/steps/catalogue";
import { clip, type DeviceResult } from "@/agent/steps/results";
import type { StepOutcome } from "@/agent/steps/step";
import type { Surroundings } from "@/agent/surroundings";
import { readContent } from "@/agent/validation/read-content";
import { runTests } from "@/agent/validation/run-tests";
import { agentVersion } from "@/agent/version";

/** Logs are sent when nothing has happened for this long. */
const quietMs = 1_000;
const maxFinished = 64;
/** Of the server's answer to a machine that it does not wait for (`noBootWindow`). */
const notWaitedFor = 404;

export type AgentEnd =
  | { readonly kind: "restarting" }
  | { readonly kind: "stopped" }
  | { readonly kind: "refused"; readonly message: string };

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

export class Agent {
  readonly #around: Surroundings;
  readonly #server: Server;
  readonly #siteSteps: SiteSteps;
  readonly #logs = new LogBuffer();
  /** By step run and attempt: a finished erase is never repeated, whatever is requested. */
  readonly #results = new Map<string, ResultBody>();
  /** By step run: what its attempts erased and verified in this boot. */
  readonly #erased = new Map<string, readonly DeviceResult[]>();
  #finished: string[] = [];
  #heartbeatMs = 10_000;
  #next: Command | null = null;

  constructor(around: Surroundings) {
    this.#around = { ...around, log: (level, message) => this.#log(around, level, message) };
    this.#server = new Server(this.#around);
    this.#siteSteps = around.siteSteps ?? noSiteSteps;
    for (const { file, message } of this.#siteSteps.managers.flatMap(({ faults = [] }) => faults))
      this.#around.log("error", `the step of ${file} is not offered: ${message}`);
    for (const { file, message } of around.siteTests?.faults ?? [])
      this.#around.log("error", `the test of ${file} cannot be run: ${message}`);
  }

  /** Runs until the host restarts, the session is over, or the program is told to stop. */
  async run(): Promise<AgentEnd> {
    try {
      const first = await this.#register();
      if ("refused" in first) return { kind: "refused", message: first.refused };
      for (let command = first.command; ;) {
        if (command.kind === "restart") {
          await this.#around.tools.system.restart();
          return { kind: "restarting" };
        }
        command = await this.#carryOut(command);
      }
    } catch (error) {
      if (error instanceof SessionOver) return { kind: "refused", message: error.message };
      if (error instanceof Stopped || this.#around.signal.aborted) return { kind: "stopped" };
      throw error;
    }
  }

  #log(around: Surroundings, level: "info" | "warn" | "error", message: string): void {
    around.log(level, message);
    this.#logs.add(level, `${around.clock.now().toISOString()} ${level} ${message}`);
  }

  async #register(): Promise<{ command: Command } | { refused: string }> {
    const inventory = await inventoryWhenReadable(this.#around);
    const { uuid, serial } = inventory.system;
    const macs = inventory.nics.map(({ mac }) => mac);
    const token = await this.#bootToken(uuid, macs);
    if (token.kind === "refused") return { refused: `no boot token: ${token.status} ${token.text}` };
    const reply = await this.#server.register(token.value.bootToken, {
      protocol: 1,
      identity: { systemUuid: uuid, serial, macs },
      run: Buffer.from(this.#around.chance.bytes(16)).toString("hex"),
      agentVersion,
      hardwareManagers: [...hardwareManagers, ...this.#siteSteps.managers],
      inventory,
    });
    if (reply.kind === "refused") return { refused: `not registered: ${reply.status} ${reply.text}` };
    this.#heartbeatMs = reply.value.heartbeatMs;
    this.#around.log("info", `registered as ${serial}, boot ${reply.value.bootEpoch}`);
    const { identity, clearLocked = false } = await this.#server.wantsIdentity();
    if (!identity) return { command: reply.value.command };
    // Before any command: a step may clear the TPM.
    await this.#heardWhile(null, () => proveIdentity(this.#around, this.#server, clearLocked));
    // A command may have been taken back meanwhile: the newest is asked for.
    return { command: { kind: "none" } };
  }

  /** The server may know the machine by any of its MAC addresses. Another one is tried only if it waits for no machine with the one before. */
  async #bootToken(uuid: string, macs: readonly string[]): Promise<Reply<{ bootToken: string }>> {
    const [first = "", ...others] = macs;
    let reply = await this.#server.bootToken(uuid, first);
    for (const mac of others) {
      if (reply.kind !== "refused" || reply.status !== notWaitedFor) return reply;
      reply = await this.#server.bootToken(uuid, mac);
    }
    return reply;
  }

  /** Returns the next command. */
  async #carryOut(command: Exclude<Command, { kind: "restart" }>): Promise<Command> {
    switch (command.kind) {
      case "none":
        return this.#wait();
      case "abort":
        // Nothing is running: the result of that step was delivered or is on its way.
        this.#finish(command.id);
        return { kind: "none" };
      case "execute":
        return this.#execute(command);
      case "discover": {
        const inventory = await this.#heardWhile(command.id, () => inventoryWhenReadable(this.#around));
        const next = await this.#server.discovery({ command: command.id, inventory });
        this.#finish(command.id);
        return next;
      }
      case "look": {
        const drives = await this.#heardWhile(command.id, () => lookAtDrives(this.#around));
        const next = await this.#server.drives({ command: command.id, busy: false, drives });
        this.#finish(command.id);
        return next;
      }
      case "validate": {
        const { fingerprint, tests: wanted } = command;
        const [tests, content] = await this.#heardWhile(command.id, async () => [
          await runTests(this.#around, wanted),
          // After the tests: a site's program may write to a drive.
          fingerprint === undefined ? null : await readContent(this.#around.tools, fingerprint),
        ]);
        const next = await this.#server.validation({
          command: command.id,
          tests,
          ...(content === null ? {} : { content }),
        });
        this.#finish(command.id);
        return next;
      }
    }
  }

  #finish(id: string): void {
    this.#finished = [...this.#finished.filter((known) => known !== id), id].slice(-maxFinished);
  }

  async #wait(): Promise<Command> {
    const waiting = this.#next;
    this.#next = null;
    if (waiting) return waiting;
    const { clock, signal } = this.#around;
    const startedAt = clock.now().getTime();
    const heard = new AbortController();
    const flushing = clock
      .sleep(quietMs, heard.signal)
      .then(() => (heard.signal.aborted || signal.aborted ? undefined : this.#logs.flush(this.#server)))
      // What stops this call also stops the poll beside it, which reports it.
      .catch(() => undefined);
    try {
      const command = await this.#server.poll({ working: null, finished: this.#finished }, signal);
      // A server that does not hold polls open must not be asked without a pause.
      const pauseMs = quietMs - (clock.now().getTime() - startedAt);
      if (command.kind === "none" && pauseMs > 0) await clock.sleep(pauseMs, signal);
      return command;
    } finally {
      heard.abort(isOver);
      await flushing;
    }
  }

  async #execute(command: ExecuteCommand): Promise<Command> {
    const key = `${command.stepRunId} ${command.attempt}`;
    const known = this.#results.get(key);
    const result = known ?? (await this.#run(command));
    this.#results.set(key, result);
    // Requested again because the first result did not arrive: the same result is sent, and logged only once.
    if (known === undefined)
      this.#around.log(
        result.result === "ERROR" ? "error" : "info",
        `${command.step}: ${result.result}: ${result.message}`,
      );
    const next = await this.#server.result(command.stepRunId, result);
    this.#finish(command.id);
    if (result.result === "ERROR") await this.#logs.flush(this.#server);
    return next;
  }

  async #run(command: ExecuteCommand): Promise<ResultBody> {
    const { clock, tools, chance, log, signal } = this.#around;
    const abort = new AbortController();
    const over = new AbortController();
    const reporter = new StepReporter(this.#server, command, clock, abort);
    const accompany = Promise.all([
      reporter.beat(this.#heartbeatMs, over.signal),
      this.#listen(command, abort, over.signal),
    ]);
    // Whatever ends the program while a step runs (a lost session) also ends the step, at its next report or at its own end.
    const watched = accompany.catch(() => abort.abort());
    let outcome: StepOutcome;
    let broke = false;
    try {
      const step = findStep(command.interface, command.step, this.#siteSteps.steps);
      outcome = step
        ? await step.run({
            command,
            tools,
            clock,
            chance,
            log,
            reporter,
            finished: this.#erased.get(command.stepRunId) ?? [],
            aborted: abort.signal,
          })
        : {
            result: "ERROR",
            message: `this agent has no step ${command.interface}.${command.step}`,
            devices: [],
          };
    } catch (error) {
      if (error instanceof SessionOver || error instanceof Stopped || signal.aborted) throw error;
      broke = true;
      outcome = { result: "ERROR", message: `${command.step} broke: ${messageOf(error)}`, devices: [] };
    } finally {
      over.abort(isOver);
      await watched;
    }
    await accompany;
    this.#erased.set(
      command.stepRunId,
      outcome.devices.filter(({ result }) => result === "OK"),
    );
    const aborted = abort.signal.aborted && outcome.result === "ERROR" ? "aborted: " : "";
    return {
      attempt: command.attempt,
      result: outcome.result,
      message: clip(`${aborted}${outcome.message}`, 8_000),
      devices: [...outcome.devices],
      journal: reporter.takeJournal(),
      ...(outcome.memory === undefined ? {} : { memory: [...outcome.memory] }),
      erasing: reporter.erasing || (broke && reporter.unstoppable),
    };
  }

  /** These commands may take minutes on a host with many drives. */
  #heardWhile<Value>(id: string | null, work: () => Promise<Value>): Promise<Value> {
    return heardWhile(this.#around, this.#server, { working: id, finished: this.#finished }, work);
  }

  /** Keeps polling while a step runs, to hear `abort`; a step that ends at once needs no poll. */
  async #listen(command: ExecuteCommand, abort: AbortController, over: AbortSignal): Promise<void> {
    const { clock, signal } = this.#around;
    await clock.sleep(listenAfterMs, over);
    while (!over.aborted && !signal.aborted) {
      let heard: Command;
      try {
        heard = await this.#server.poll(
          { working: command.id, finished: this.#finished },
          AbortSignal.any([over, signal]),
        );
      } catch (error) {
        if (error instanceof Stopped && over.aborted) return;
        throw error;
      }
      if (heard.kind === "look") {
        // The server believes that nothing runs here. The state of the drives is in the step's own reports.
        await this.#server.drives({ command: heard.id, busy: true, drives: [] });
        this.#finish(heard.id);
      } else if (
        heard.kind === "abort" &&
        heard.stepRunId === command.stepRunId &&
        heard.attempt === command.attempt
      ) {
        this.#finish(heard.id);
        abort.abort();
      } else if (heard.kind !== "none" && !(heard.kind === "execute" && heard.id === command.id)) {
        // Another command replaces this step, which ends as soon as it can.
        this.#next = heard;
        abort.abort();
      }
      await clock.sleep(listenAfterMs, over);
    }
  }
}
