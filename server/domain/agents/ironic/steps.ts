// What Ironic's agent may do in a plan, and how far its reports are trusted (docs/adr/0087-the-ironic-agent-as-a-guest.md).
import { z } from "zod";
import type { ExecuteCommand, HardwareManager, ResultBody } from "@/server/domain/agents/protocol";
import type { GuestCleanSteps, GuestCommand } from "@/server/domain/agents/ironic/wire";
import { cleanSteps } from "@/server/domain/cleaning/steps/catalogue";
import { stepName } from "@/server/domain/cleaning/steps/step";

/** The hardware manager that its steps are listed under. It also distinguishes a session of Ironic's agent from one of ours. */
export const guestManager = "ironic-python-agent";

type Managers = readonly Pick<HardwareManager, "name">[];

/** Whether an agent with these hardware managers is Ironic's. Pure. */
export const isGuest = (managers: Managers): boolean => managers.some(({ name }) => name === guestManager);

const maxManagers = 31;
const maxSteps = 256;

/**
 * Names of Reclaim's own steps. Ironic's agent looks up a step by its name alone, under any interface, and runs its own version. No device list
 * reaches it, so a step meant for some drives would treat every drive it sees, excluded ones too.
 */
const ownNames: ReadonlySet<string> = new Set(cleanSteps.map(({ step }) => step));

/**
 * The agent's steps as hardware managers of ours, with the versions that it checks before each step. None is abortable, because its API has no
 * command for that. Steps that ask Ironic for a reboot are left out, because nothing here would do it, and so are steps with a name of ours. Pure.
 */
export function guestManagers(agentVersion: string, found: GuestCleanSteps): HardwareManager[] {
  const steps = Object.values(found.clean_steps)
    .flat()
    .filter(({ step, reboot_requested: restarts }) => restarts !== true && !ownNames.has(step))
    .map(({ interface: of, step, priority }) => ({ interface: of, step, priority, abortable: false }))
    .slice(0, maxSteps);
  const versions = Object.entries(found.hardware_manager_version).filter(([name]) => name !== guestManager);
  return [
    { name: guestManager, version: agentVersion, steps },
    ...versions.slice(0, maxManagers).map(([name, version]) => ({ name, version, steps: [] })),
  ];
}

/** The versions that the agent compares with its own, as it reported them. Pure. */
export const guestVersions = (managers: readonly HardwareManager[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    managers.filter(({ name }) => name !== guestManager).map(({ name, version }) => [name, version]),
  );

/** What is kept of a command while Ironic's agent runs it. */
export type GuestTask = Pick<
  ExecuteCommand,
  "id" | "stepRunId" | "attempt" | "interface" | "step" | "devices"
>;

/** Why Ironic's agent is not given a step; null: it is. Pure. */
export function guestRefusal(
  task: Pick<ExecuteCommand, "interface" | "step" | "args">,
  managers: readonly HardwareManager[],
): string | null {
  const name = stepName(task);
  // safety: guest: no step that has a name of ours
  if (ownNames.has(task.step))
    return `${name} is also the name of a Reclaim step and is not sent to Ironic's agent, which would run its own version on every drive it sees without proof; boot Reclaim's image to run it`;
  // safety: guest: no step with arguments
  if (Object.keys(task.args).length > 0)
    return `${name} takes no arguments from Reclaim: Ironic's agent might interpret them differently`;
  const offered = managers.flatMap(({ steps }) => steps);
  if (!offered.some((row) => row.interface === task.interface && row.step === task.step))
    return `the host runs Ironic's agent, which has no step ${name}; boot Reclaim's image to run it`;
  return null;
}

const notReadBack = "erased by Ironic's agent and not read back: its report is no proof";

/** The result of a step. Whatever it did to drives, none of them counts as erased. Pure. */
export function guestResult(
  { attempt, devices }: GuestTask,
  { ok, message }: { readonly ok: boolean; readonly message: string },
): ResultBody {
  return {
    attempt,
    result: ok ? "OK" : "ERROR",
    message: message.slice(0, 8000),
    devices: devices.map(({ removable: _, ...device }) => ({
      ...device,
      tries: [],
      tool: { name: guestManager, version: "" },
      result: "ERROR" as const,
      message: ok ? notReadBack : message.slice(0, 2000),
    })),
    journal: [],
    erasing: false,
  };
}

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

/** Result of `clean.execute_clean_step`: what the step returned, along with the step itself. */
const returned = z.object({ clean_result: z.unknown() });
/** An error of Ironic's agent (ironic_python_agent/errors.py). */
const restError = z.object({ message: z.string(), details: z.string() });

function resultText(result: unknown): string {
  const read = returned.safeParse(result);
  const value = read.success ? read.data.clean_result : result;
  return value === null || value === undefined ? "succeeded" : textOf(value);
}

function formatError(error: unknown): string {
  const read = restError.safeParse(error);
  return read.success ? `${read.data.message}: ${read.data.details}` : textOf(error);
}

/** How a command of Ironic's agent ended; null: still running. An unknown status is a failure. Pure. */
export function guestOutcome({
  command_status: status,
  command_error: error,
  command_result: result,
}: GuestCommand): { readonly ok: boolean; readonly message: string } | null {
  switch (status) {
    case "RUNNING":
      return null;
    case "SUCCEEDED":
      return { ok: true, message: resultText(result).slice(0, 2000) };
    case "CLEAN_VERSION_MISMATCH":
    case "VERSION_MISMATCH":
      return {
        ok: false,
        message: `the hardware managers of Ironic's agent changed in this boot: ${formatError(error)}`,
      };
    default:
      return { ok: false, message: `${status}: ${formatError(error)}` };
  }
}
