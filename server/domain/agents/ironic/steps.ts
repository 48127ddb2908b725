// What Ironic's agent may do in a plan, and what its word on it is worth (docs/adr/0087-the-ironic-agent-as-a-guest.md).
import type { ExecuteCommand, HardwareManager, ResultBody } from "@/server/domain/agents/protocol";
import type { GuestCleanSteps, GuestCommand } from "@/server/domain/agents/ironic/wire";
import { findCleanStep } from "@/server/domain/cleaning/steps/catalogue";
import { stepName } from "@/server/domain/cleaning/steps/step";

/** The hardware manager under which its steps are known. It is what tells a session of Ironic's agent from one of ours. */
export const guestManager = "ironic-python-agent";

type Managers = readonly Pick<HardwareManager, "name">[];

/** Whether an agent with these hardware managers is Ironic's. Pure. */
export const isGuest = (managers: Managers): boolean => managers.some(({ name }) => name === guestManager);

const mostManagers = 31;
const mostSteps = 256;

/**
 * Its steps as hardware managers of ours, and the versions that it checks before each step. None can be stopped: its API has no command for
 * that. A step that asks Ironic for a restart after it is left out, because nothing here would do it. Pure.
 */
export function guestManagers(agentVersion: string, found: GuestCleanSteps): HardwareManager[] {
  const steps = Object.values(found.clean_steps)
    .flat()
    .filter(({ reboot_requested: restarts }) => restarts !== true)
    .map(({ interface: of, step, priority }) => ({ interface: of, step, priority, abortable: false }))
    .slice(0, mostSteps);
  const versions = Object.entries(found.hardware_manager_version).filter(([name]) => name !== guestManager);
  return [
    { name: guestManager, version: agentVersion, steps },
    ...versions.slice(0, mostManagers).map(([name, version]) => ({ name, version, steps: [] })),
  ];
}

/** The versions that it compares with its own, as it told them. Pure. */
export const guestVersions = (managers: readonly HardwareManager[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    managers.filter(({ name }) => name !== guestManager).map(({ name, version }) => [name, version]),
  );

/** What is kept of a command while Ironic's agent carries it out. */
export type GuestTask = Pick<
  ExecuteCommand,
  "id" | "stepRunId" | "attempt" | "interface" | "step" | "devices"
>;

/** Why it is not given a step; null: it is. Pure. */
export function guestRefusal(
  task: Pick<GuestTask, "interface" | "step">,
  managers: readonly HardwareManager[],
): string | null {
  const name = stepName(task);
  const offered = managers.flatMap(({ steps }) => steps);
  if (!offered.some((row) => row.interface === task.interface && row.step === task.step))
    return `the host runs Ironic's agent, which has no step ${name}; boot Reclaim's image for it`;
  const proves = findCleanStep(task.interface, task.step, offered)?.proves ?? [];
  const gates = proves.filter((gate) => gate !== "storageSanitized");
  // A gate rests on the success of such a step alone. What is said of drives is judged drive by drive (`guestResult`).
  // safety: guest: no step of its that proves a gate
  if (gates.length > 0)
    return `${name} proves ${gates.join(", ")}, and the word of Ironic's agent is no proof; boot Reclaim's image for it`;
  return null;
}

const notReadBack = "erased by Ironic's agent and not read back: its word is no proof";

/** The result of a step. Whatever it did to drives, nothing that counts is said of one. Pure. */
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

const wordsOf = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

/** How a command of its ended; null: it runs. A status that nobody knows is a failure. Pure. */
export function guestOutcome({
  command_status: status,
  command_error: error,
  command_result: result,
}: GuestCommand): { readonly ok: boolean; readonly message: string } | null {
  switch (status) {
    case "RUNNING":
      return null;
    case "SUCCEEDED":
      return { ok: true, message: wordsOf(result).slice(0, 2000) };
    case "CLEAN_VERSION_MISMATCH":
    case "VERSION_MISMATCH":
      return {
        ok: false,
        message: `the hardware managers of Ironic's agent changed in this boot: ${wordsOf(error)}`,
      };
    default:
      return { ok: false, message: `${status}: ${wordsOf(error)}` };
  }
}
