// `reclaim clean`: a host by hand, by a list of steps or a runbook; and where such a list comes from.
import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { parse } from "yaml";
import { contract } from "@/server/contract/contract";
import { manualSteps } from "@/server/domain/cleaning/plan/manual";
import type { ManualStep } from "@/server/domain/cleaning/plan/manual";
import type { CleaningEstimate } from "@/server/surfaces/trpc/types";
import { CommandError } from "@/cli/exit-codes";
import { findRunbook } from "@/cli/find";
import { actOnHosts, readDetails } from "@/cli/commands/acts";
import { addWaitOptions, waitFor } from "@/cli/commands/host-acts";
import type { WaitOptions } from "@/cli/commands/host-acts";
import { durationWords } from "@/cli/output/words";
import { openShell, readStdin } from "@/cli/shell";
import type { Shell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

export const cleanStepsHelp =
  'JSON, a file of JSON or YAML, or - for stdin, such as [{"interface":"deploy","step":"erase_nvme"}]';

/** What `--clean-steps` names, as it came. Text that begins like a list is taken as one, as the `baremetal` client does. */
export async function readStepsValue(given: string, surroundings: Surroundings): Promise<unknown> {
  const from = given === "-" ? "stdin" : /^\s*[[{]/.test(given) ? "--clean-steps" : given;
  let text: string;
  try {
    text =
      given === "-"
        ? await readStdin(surroundings)
        : from === "--clean-steps"
          ? given
          : await readFile(given, "utf8");
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(
      "usage",
      `The clean steps ${given} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      "Give a list in JSON, the path of a file, or - for stdin.",
    );
  }
  try {
    // JSON is YAML as well, but its errors are better by its own parser.
    return from === "--clean-steps"
      ? JSON.parse(text)
      : /^\s*[[{]/.test(text)
        ? JSON.parse(text)
        : parse(text);
  } catch (error) {
    throw new CommandError(
      "usage",
      `The clean steps (${from}) are not JSON or YAML: ${error instanceof Error ? error.message.split("\n", 1).join("") : String(error)}`,
    );
  }
}

/** A list of `{interface, step, args}` with nothing else in it. What the steps take, the server checks. */
export function parseSteps(value: unknown): readonly ManualStep[] {
  const parsed = manualSteps.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const [index, ...path] = issue?.path ?? [];
  const where =
    typeof index === "number" ? `step ${index + 1}${path.length === 0 ? "" : `, ${path.join(".")}`}: ` : "";
  throw new CommandError(
    "usage",
    `The clean steps are not valid: ${where}${issue?.message ?? "not a list"}.`,
    'They are a list such as [{"interface":"power","step":"wait","args":{"seconds":60}}].',
  );
}

/** What the cleaning will do to the host, in sentences. */
function consequences(name: string, estimate: CleaningEstimate): readonly string[] {
  const { erases, restarts, cannotStop, steps, abandons, personAt } = estimate;
  return [
    `${name}: ${steps.map((step) => step.name).join(", ")}; about ${durationWords(estimate.expectedMs)}${personAt === null ? "" : ", then it waits until somebody resumes it"}${restarts === 0 ? "" : `, ${restarts} ${restarts === 1 ? "restart" : "restarts"}`}.`,
    ...(erases.length === 0
      ? []
      : [
          `Everything on ${erases.length === 1 ? "this device" : `these ${erases.length} devices`} is erased: ${erases.map((device) => `${device.model} ${device.serial}`).join(", ")}.`,
        ]),
    ...(cannotStop.length === 0
      ? []
      : [
          `Cannot be stopped once begun: ${steps
            .filter(({ index }) => cannotStop.includes(index))
            .map((step) => step.name)
            .join(", ")}.`,
        ]),
    ...(abandons === null
      ? []
      : [
          `${abandons.number} ends as abandoned${abandons.debtDrives === 0 ? "" : `, and ${abandons.debtDrives} drives stay owed`}.`,
        ]),
  ];
}

type Work = { readonly steps: ManualStep[] } | { readonly runbookId: string };

async function readWork(
  { client, surroundings }: Shell,
  { cleanSteps, runbook }: { readonly cleanSteps?: string; readonly runbook?: string },
): Promise<Work> {
  if ((cleanSteps === undefined) === (runbook === undefined))
    throw new CommandError(
      "usage",
      "Say what to do: either --clean-steps or --runbook.",
      "`reclaim steps <host>` lists what the host has.",
    );
  if (runbook !== undefined) return { runbookId: (await findRunbook(client, runbook)).id };
  return { steps: [...parseSteps(await readStepsValue(cleanSteps ?? "", surroundings))] };
}

export function addClean(program: Command, surroundings: Surroundings): void {
  const clean = program
    .command("clean")
    .description(contract.cleaning.start.title)
    .argument("<host...>", "names, ids, or the beginning of one")
    .option("--clean-steps <steps>", cleanStepsHelp)
    .option("--runbook <runbook>", "or the steps of a runbook: name or id");
  addWaitOptions(clean, "manageable").action(
    async (
      names: string[],
      options: WaitOptions & { cleanSteps?: string; runbook?: string },
      command: Command,
    ) => {
      const shell = await openShell(command, surroundings);
      const wait = waitFor("manageable", options);
      const work = await readWork(shell, options);
      const hosts = await readDetails(shell, names);
      const said: string[] = [];
      // Only who is asked needs to know; and what is wrong with the list, the act itself refuses.
      if (!shell.settings.yes)
        for (const host of hosts) {
          const estimate = await shell.client.cleaning.estimate.query({ hostId: host.id, ...work });
          if (estimate.faults.length === 0 && estimate.refusal === null)
            said.push(...consequences(host.name, estimate));
        }
      await actOnHosts(shell, hosts, {
        intent: "clean",
        consequences: said,
        perform: (seen) => shell.client.cleaning.start.mutate({ ...seen, ...work }),
        wait,
      });
    },
  );
}
