// The model's agent: it polls, and carries out the command that it gets on the machine.
import type { Command } from "@/server/domain/agents/protocol";
import { discover, look, validate } from "@/server/controller/testing/model/agent/readings";
import { register } from "@/server/controller/testing/model/agent/registration";
import { beginStep, finishStep } from "@/server/controller/testing/model/agent/steps";
import type { Work } from "@/server/controller/testing/model/agent/work";
import { owesQuote, quote } from "@/server/controller/testing/model/attestation";
import { eraseEndMs, restart } from "@/server/controller/testing/model/machine";
import type { World } from "@/server/controller/testing/model/world";

/** One step of the agent's work: begins a command, or ends it when the devices are done. */
export function agentWorks(world: World, how: Work): void {
  const { machine, host } = world;
  const agent = machine.agent;
  if (agent === null || host === null) return;
  if (agent.epoch === null) return register(world, agent);
  poll(world);
  if (owesQuote(world)) return quote(world, host, agent);
  const command = commandOf(world);
  if (agent.working !== null) {
    // A step that can be stopped is stopped, but what a drive does is not.
    const stopped =
      command?.kind === "abort" &&
      command.stepRunId === agent.working.stepRunId &&
      eraseEndMs(machine) <= world.nowMs;
    if (stopped) agent.finished.add(command.id);
    return finishStep(world, host, agent, how, stopped);
  }
  switch (command?.kind) {
    case "execute":
      return beginStep(world, host, agent, command, how);
    case "discover":
      agent.finished.add(command.id);
      return discover(world, host, agent, command.id, how.flaw);
    case "validate":
      agent.finished.add(command.id);
      return validate(world, host, agent, command, how.flaw);
    case "look":
      agent.finished.add(command.id);
      return look(world, host, agent, command.id);
    case "restart":
      return restart(world);
    case "abort":
      agent.finished.add(command.id);
      return;
    case undefined:
      return;
  }
}

/** The command that this agent has not finished. */
export function commandOf(world: World): Exclude<Command, { kind: "none" }> | null {
  const agent = world.machine.agent;
  const run = world.host?.run;
  const command = run?.command ?? null;
  if (
    agent === null ||
    agent.epoch === null ||
    command === null ||
    command.kind === "none" ||
    run?.commandEpoch !== agent.epoch ||
    agent.finished.has(command.id)
  )
    return null;
  return command;
}

/** Counts as heard from, as with any of its calls. */
export function poll(world: World): void {
  const session = world.host?.sessions.find((row) => row.bootEpoch === world.machine.agent?.epoch);
  if (session !== undefined) session.lastSeenMs = world.nowMs;
}
