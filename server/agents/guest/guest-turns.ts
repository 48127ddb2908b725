// Speaks for one Ironic agent: takes commands from the agent server as our own agent would, and has it carry them out, turn by turn.
import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { AgentServer } from "@/server/agents/agent-server";
import type { Caller } from "@/server/agents/calls";
import { GuestClient, GuestRefusal } from "@/server/agents/guest/guest-client";
import { notRegistered, Over, reasonOf, valueOf } from "@/server/agents/guest/guest-refusal";
import type { GuestKey, GuestStore, GuestWork, HeldGuest } from "@/server/agents/guest/guest-work";
import { tokenHash } from "@/server/domain/access/tokens";
import { registerBody, type Command, type ExecuteCommand } from "@/server/domain/agents/protocol";
import { guestInventory } from "@/server/domain/agents/ironic/hardware";
import {
  guestManagers,
  guestOutcome,
  guestRefusal,
  guestResult,
  guestVersions,
} from "@/server/domain/agents/ironic/steps";
import {
  guestCleanSteps,
  guestHardware,
  guestNode,
  type GuestCommand,
} from "@/server/domain/agents/ironic/wire";
import { problems } from "@/server/domain/problems";
import type { HardwareInventory } from "@/server/domain/hosts/inventory/inventory";
import { isPlaceholderSerial } from "@/server/domain/hosts/inventory/placeholder-serial";

export interface GuestTurnsOptions {
  readonly agents: Pick<AgentServer, "register" | "poll" | "result" | "discovery" | "validation" | "drives">;
  /** Interval between looks at a running command, in ms. */
  readonly lookMs: number;
  readonly log: (message: string) => void;
}

type Store = Pick<GuestStore, "hold" | "keepSession" | "keepWork" | "finish" | "noteRefusal" | "release">;

/** Consecutive failed turns after which the agent is left alone until its next heartbeat. */
const maxFailures = 3;

export class GuestTurns {
  readonly #key: GuestKey;

  readonly #store: Store;

  readonly #signal: AbortSignal;

  readonly #options: GuestTurnsOptions;

  #client: GuestClient | null = null;
  #address = "";

  /** Whether the agent server has accepted the session. */
  #heard = false;

  constructor(key: GuestKey, store: Store, signal: AbortSignal, options: GuestTurnsOptions) {
    this.#key = key;
    this.#store = store;
    this.#signal = signal;
    this.#options = options;
  }

  /** Runs until the boot is over, the agent does not answer, or this process stops. Never throws. */
  async run(): Promise<void> {
    let failures = 0;
    while (!this.#signal.aborted && failures < maxFailures) {
      let held: HeldGuest | null = null;
      try {
        held = await this.#store.hold();
        if (held === null) break;
        await this.#turn(held, this.#clientOf(held));
        failures = 0;
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        if (!this.#signal.aborted && message !== "") {
          this.#options.log(message);
          if (held?.session === null) await this.#noteRefusal(reasonOf(error, held));
        }
        if (error instanceof Over) break;
        failures += 1;
        await this.#sleep(this.#options.lookMs * failures);
      }
    }
    await this.#store.release().catch(() => undefined);
    await this.#client?.close();
  }

  /** Best effort: what cannot be stored is in the log. */
  async #noteRefusal(why: string): Promise<void> {
    await this.#store.noteRefusal(why).catch(() => undefined);
  }

  async #turn(held: HeldGuest, client: GuestClient): Promise<void> {
    if (held.session === null) return this.#register(held, client);
    // First, so that our polls do not keep a host alive whose agent is gone.
    const commands = await client.commands(this.#signal);
    if (held.work !== null) return this.#follow(held, held.work, commands);
    return this.#carryOut(held, held.session, client, await this.#poll(held, held.session));
  }

  /**
   * A session that was never used may have been replaced by a registration whose answer was lost. It is forgotten, and the next heartbeat registers
   * again; the agent server decides whether that counts in this boot.
   */
  async #poll({ finished }: HeldGuest, session: string): Promise<Command> {
    const body = { working: null, finished: [...finished] };
    const said = await this.#options.agents.poll(this.#caller(session), body);
    if (!said.ok && said.problem.code === "unauthorized" && !this.#heard && finished.length === 0)
      await this.#store.keepSession(null);
    this.#heard ||= said.ok;
    return valueOf(said);
  }

  async #register(held: HeldGuest, client: GuestClient): Promise<void> {
    const inventory = await this.#inventory(held, client);
    // safety: guest: only a serial of its own stands beside a MAC address, because this agent reports no UUID
    if (isPlaceholderSerial(inventory.system.serial) || isPlaceholderSerial(held.host.serial))
      throw new Over(
        notRegistered("it reports no serial number of its own, or its host is not known by one"),
      );
    if (inventory.nics.length === 0) throw new Over(notRegistered("it reports no MAC address"));
    await this.#holdOn();
    const steps = await client.ask("clean.get_clean_steps", this.#about(held), guestCleanSteps, this.#signal);
    await this.#holdOn();
    const body = registerBody.parse({
      protocol: 1,
      // The UUID is the one that the firmware booted with, because this agent reports none. Its serial number is compared as usual.
      identity: {
        systemUuid: held.host.systemUuid,
        serial: inventory.system.serial,
        macs: [...new Set(inventory.nics.map(({ mac }) => mac))],
      },
      // The same for each try in this boot, so that a try whose answer was lost does not look like a second agent.
      run: createHash("sha256").update(`guest ${held.token}`).digest("hex").slice(0, 32),
      agentVersion: `ironic-python-agent ${held.agentVersion}`,
      hardwareManagers: guestManagers(held.agentVersion, steps),
      inventory,
    });
    const registered = await this.#options.agents.register(this.#caller(held.token), body);
    if (!registered.ok) {
      const { title, detail } = problems[registered.problem.code];
      throw new Over(notRegistered(`${title}: ${detail}`));
    }
    if (!(await this.#store.keepSession(registered.value.sessionToken))) throw new Over();
  }

  /** Extends the hold: each call may take half the lease. */
  async #holdOn(): Promise<void> {
    if ((await this.#store.hold()) === null) throw new Over();
  }

  async #carryOut(held: HeldGuest, session: string, client: GuestClient, command: Command): Promise<void> {
    const { agents } = this.#options;
    const caller = this.#caller(session);
    switch (command.kind) {
      case "none":
        return;
      case "execute":
        return this.#begin(held, session, client, command);
      case "discover":
        valueOf(
          await agents.discovery(caller, {
            command: command.id,
            inventory: await this.#inventory(held, client),
          }),
        );
        break;
      case "validate": {
        const at = new Date().toISOString();
        const message = "Ironic's agent does not run Reclaim's tests";
        // The drives' content is left out, because this agent cannot read it; the comparison reports that.
        const tests = command.tests.map((name) => ({
          name,
          result: "skipped" as const,
          message,
          startedAt: at,
          endedAt: at,
        }));
        valueOf(await agents.validation(caller, { command: command.id, tests }));
        break;
      }
      case "look":
        // Not reached: the version in a guest's session is never asked to look (`mayLook`). The answer claims nothing that the agent does not know.
        valueOf(await agents.drives(caller, { command: command.id, busy: true, drives: [] }));
        break;
      case "restart":
        await client.start("standby.run_image", {}, this.#signal);
        break;
      case "abort":
        // Nothing of it is running.
        break;
    }
    await this.#store.finish(command.id, held.finished);
  }

  async #begin(
    held: HeldGuest,
    session: string,
    client: GuestClient,
    command: ExecuteCommand,
  ): Promise<void> {
    const { id, stepRunId, attempt, step, devices, args } = command;
    const task = { id, stepRunId, attempt, interface: command.interface, step, devices };
    const refusal = guestRefusal(command, held.managers);
    if (refusal !== null) return this.#report(held, session, task, { ok: false, message: refusal });
    // Recorded before it is sent: what may have been sent is never sent again.
    // safety: guest: noted before it is sent
    if (!(await this.#store.keepWork({ task, command: null }, held.finished))) throw new Over();
    try {
      const started = await client.start(
        "clean.execute_clean_step",
        {
          ...this.#about(held),
          step: { interface: command.interface, step, args, priority: 0 },
          clean_version: guestVersions(held.managers),
        },
        this.#signal,
      );
      await this.#store.keepWork({ task, command: started.id }, held.finished);
    } catch (error) {
      if (!(error instanceof GuestRefusal)) throw error;
      return this.#report(held, session, task, { ok: false, message: error.message });
    }
  }

  /** Waits for what was sent and reports how it ended. While it runs, each poll shows that the agent is there. */
  async #follow(
    held: HeldGuest,
    { task, command }: GuestWork,
    commands: readonly GuestCommand[],
  ): Promise<void> {
    const session = held.session ?? "";
    const found = commands.find(({ id }) => id === command);
    const running = found ?? commands.find((row) => guestOutcome(row) === null);
    const outcome = running === undefined ? null : guestOutcome(running);
    if (running !== undefined && outcome === null) {
      const short = AbortSignal.any([this.#signal, AbortSignal.timeout(this.#options.lookMs)]);
      // An abort has no effect: the agent has no command for it, and the controller waits for the step (`abortable: false`).
      valueOf(
        await this.#options.agents.poll(
          { ...this.#caller(session), signal: short },
          { working: task.id, finished: [...held.finished, `abort:${task.id}`] },
        ),
      );
      return this.#sleep(this.#options.lookMs / 10);
    }
    const lost = {
      ok: false,
      message:
        command === null
          ? "it is unknown whether Ironic's agent started the step, and nothing is running now"
          : "Ironic's agent restarted and no longer knows the step",
    };
    return this.#report(held, session, task, found === undefined ? lost : (outcome ?? lost));
  }

  async #report(
    held: HeldGuest,
    session: string,
    task: GuestWork["task"],
    outcome: { readonly ok: boolean; readonly message: string },
  ): Promise<void> {
    const said = await this.#options.agents.result(
      this.#caller(session),
      task.stepRunId,
      guestResult(task, outcome),
    );
    if (!said.ok) this.#options.log(`the result of ${task.interface}.${task.step}: ${said.problem.code}`);
    if (!said.ok && said.problem.code === "unauthorized") throw new Over();
    if (!(await this.#store.finish(task.id, held.finished))) throw new Over();
  }

  async #inventory(held: HeldGuest, client: GuestClient): Promise<HardwareInventory> {
    const found = await client.ask("poll.get_hardware_info", {}, guestHardware, this.#signal);
    return guestInventory(found, held.host);
  }

  #about({ name, macs }: HeldGuest): object {
    return {
      node: guestNode(this.#key.hostId, name),
      ports: macs.map((address) => ({ address, node_uuid: this.#key.hostId, extra: {} })),
    };
  }

  #caller(token: string): Caller {
    return {
      token: tokenHash(token),
      requestId: `guest-${this.#key.hostId}`,
      address: this.#address,
      signal: this.#signal,
      note: () => undefined,
    };
  }

  #clientOf({ callbackUrl, verifyCa, token }: HeldGuest): GuestClient {
    this.#address = new URL(callbackUrl).hostname;
    this.#client ??= new GuestClient({ callbackUrl, verifyCa, token });
    return this.#client;
  }

  async #sleep(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#signal }).catch(() => undefined);
  }
}
