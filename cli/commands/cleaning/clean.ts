// `reclaim clean`: manual cleaning with a list of steps or a runbook, and reading such a list.
import { parse } from "yaml";
import { contract } from "@/server/contract/contract";
import { manualSteps } from "@/server/domain/cleaning/plan/manual";
import type { ManualStep } from "@/server/domain/cleaning/plan/manual";
import type { CleaningEstimate } from "@/server/surfaces/trpc/types";
import { CommandError } from "@/cli/exit-codes";
import { findRunbook } from "@/cli/find";
import { actOnHosts, actResults, waitFor, waitOptions } from "@/cli/commands/acts";
import { readTargets, targetArgs, targetOptions } from "@/cli/commands/targets";
import type { Targets } from "@/cli/commands/targets";
import { command } from "@/cli/define/command";
import { opt } from "@/cli/define/values";
import { durationText } from "@/cli/output/text";
import { formatCounted } from "@/server/domain/numbers";
import { readText } from "@/cli/shell";
import type { Shell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";
import { formatDocument } from "@/server/domain/schema-text";

export const cleanStepsHelp =
  'JSON, a file of JSON or YAML, or - for stdin, such as [{"interface":"deploy","step":"erase_nvme"}]';

/** The value of `--clean-steps`, unvalidated. Text that starts like a list is parsed as one, as in the `baremetal` client. */
export async function readStepsValue(given: string, surroundings: Surroundings): Promise<unknown> {
  const looksLikeList = (text: string): boolean => /^\s*[[{]/.test(text);
  const text = looksLikeList(given)
    ? given
    : await readText(
        "clean steps",
        given,
        surroundings,
        "Give a list in JSON, the path of a file, or - for stdin.",
      );
  const from = looksLikeList(given) ? "--clean-steps" : given === "-" ? "stdin" : given;
  try {
    // JSON is valid YAML, but the JSON parser has better error messages.
    return looksLikeList(text) ? JSON.parse(text) : parse(text);
  } catch (error) {
    throw new CommandError(
      "usage",
      `The clean steps (${from}) are not JSON or YAML: ${error instanceof Error ? error.message.split("\n", 1).join("") : String(error)}`,
    );
  }
}

/** A list of `{interface, step, args}` and nothing else. The server checks the arguments. */
export function parseSteps(value: unknown): readonly ManualStep[] {
  const parsed = manualSteps.safeParse(value, { error: formatDocument });
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
    `${name}: ${steps.map((step) => step.name).join(", ")}; about ${durationText(estimate.expectedMs)}${personAt === null ? "" : ", then it waits until it is resumed"}${restarts === 0 ? "" : `, ${formatCounted(restarts, "restart")}`}.`,
    ...(erases.length === 0
      ? []
      : [
          `Everything on ${erases.length === 1 ? "this device" : `these ${erases.length} devices`} is erased: ${erases.map((device) => `${device.model} ${device.serial}`).join(", ")}.`,
        ]),
    ...(cannotStop.length === 0
      ? []
      : [
          `Cannot be stopped once started: ${steps
            .filter(({ index }) => cannotStop.includes(index))
            .map((step) => step.name)
            .join(", ")}.`,
        ]),
    ...(abandons === null
      ? []
      : [
          `${abandons.number} ends as abandoned${abandons.debtDrives === 0 ? "" : `, ${formatCounted(abandons.debtDrives, "drive")} still owed`}.`,
        ]),
  ];
}

type Work = { readonly steps: ManualStep[] } | { readonly runbookId: string };

async function readWork(
  { client, surroundings }: Shell,
  { cleanSteps, runbook }: { readonly cleanSteps: string | undefined; readonly runbook: string | undefined },
): Promise<Work> {
  if ((cleanSteps === undefined) === (runbook === undefined))
    throw new CommandError(
      "usage",
      "Give either --clean-steps or --runbook.",
      "`reclaim steps <host>` lists the steps of the host.",
    );
  if (runbook !== undefined) return { runbookId: (await findRunbook(client, runbook)).id };
  return { steps: [...parseSteps(await readStepsValue(cleanSteps ?? "", surroundings))] };
}

/** An invalid list is not reported here: the act itself will be refused. */
async function consequencesOf({ client }: Shell, { hosts }: Targets, work: Work): Promise<readonly string[]> {
  const said: string[] = [];
  for (const host of hosts) {
    const estimate = await client.cleaning.estimate.query({ hostId: host.id, ...work });
    if (estimate.faults.length === 0 && estimate.refusal === null)
      said.push(...consequences(host.name, estimate));
  }
  return said;
}

export const clean = command("clean", {
  title: contract.cleaning.start.title,
  uses: ["cleaning.start", "cleaning.estimate"],
  shape: actResults,
  args: targetArgs,
  options: {
    ...targetOptions,
    cleanSteps: opt("<steps>", cleanStepsHelp),
    runbook: opt("<runbook>", "or the steps of a runbook: name or id"),
    ...waitOptions("manageable"),
  },
  examples: [
    "clean gpu-a-0417 --runbook wake-up --wait",
    "clean --filter 'rack:A02' --clean-steps steps.yaml --dry-run",
  ],
  run: async (shell, { host: names, filter, dryRun, ...options }) => {
    const wait = waitFor("manageable", options) ?? null;
    const work = await readWork(shell, options);
    const targets = await readTargets(shell, names, { filter, dryRun });
    await actOnHosts(shell, targets, {
      intent: "clean",
      // Needed only if there is a confirmation.
      consequences: shell.settings.yes || targets.dryRun ? [] : await consequencesOf(shell, targets, work),
      perform: (seen) => shell.client.cleaning.start.mutate({ ...seen, ...work }),
      wait,
    });
  },
});
