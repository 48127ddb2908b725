// `reclaim instances repair on`, `off`, `escalate`: a host is repaired while its tenant keeps it.
import type { Command } from "commander";
import { Option } from "commander";
import { contract } from "@/server/contract/contract";
import { issueCategories } from "@/server/domain/repair/health-issue";
import { CommandError } from "@/cli/exit-codes";
import { findInstance } from "@/cli/find";
import { confirm, openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

const instanceText = "name, id, or the start of either";
type Category = (typeof issueCategories)[number];

/** @param instances the command `reclaim instances` */
export function addOnlineRepair(instances: Command, surroundings: Surroundings): void {
  const repair = instances
    .command("repair")
    .description("online repair: the host is repaired while its tenant keeps the instance");
  addOn(repair, surroundings);
  addOff(repair, surroundings);
  addEscalate(repair, surroundings);
}

interface OnOptions {
  readonly issue: Category;
  readonly summary: string;
  readonly details: string;
  readonly allowDeletion: "yes" | "no";
  readonly acceptDataCorruptionRisk?: true;
  readonly acceptRepairTeamAccess?: true;
  readonly acceptInstanceDeletionRisk?: true;
}

/** Each acknowledgement that the server requires has its own flag: `--yes` must not accept a risk. */
function acknowledged(options: OnOptions) {
  const { acceptDataCorruptionRisk, acceptRepairTeamAccess, acceptInstanceDeletionRisk } = options;
  if (!acceptDataCorruptionRisk || !acceptRepairTeamAccess || !acceptInstanceDeletionRisk)
    throw new CommandError(
      "usage",
      "An online repair may corrupt data, gives the repair team access to the host, and may end with the loss of the instance.",
      "Add --accept-data-corruption-risk, --accept-repair-team-access and --accept-instance-deletion-risk if you accept that.",
    );
  return { acceptDataCorruptionRisk, acceptRepairTeamAccess, acceptInstanceDeletionRisk };
}

const category = (words: string): Option =>
  new Option("--issue <category>", words).choices([...issueCategories]);

function addOn(repair: Command, surroundings: Surroundings): void {
  repair
    .command("on")
    .description(contract.instances.beginRepair.title)
    .argument("<instance>", instanceText)
    .addOption(category("what is wrong").makeOptionMandatory())
    .requiredOption("--summary <text>", "of the issue; shown to the tenant")
    .requiredOption("--details <text>", "of the issue, for whoever repairs the host")
    .addOption(
      new Option(
        "--allow-deletion <yes|no>",
        "whether the tenant allows its instance to be deleted if the repair fails; stored as a label; Reclaim itself deletes nothing",
      )
        .choices(["yes", "no"])
        .makeOptionMandatory(),
    )
    .option("--accept-data-corruption-risk", "the repair may corrupt data on the host")
    .option("--accept-repair-team-access", "the repair team gets access to the host")
    .option("--accept-instance-deletion-risk", "the instance may be lost")
    .action(async (text: string, options: OnOptions, command: Command) => {
      const acknowledgments = acknowledged(options);
      const { client, printer } = await openShell(command, surroundings);
      const { id, name } = await findInstance(client, text);
      await client.instances.beginRepair.mutate({
        instanceId: id,
        issue: { category: options.issue, summary: options.summary, details: options.details },
        allowAutoInstanceDeletionOnFailure: options.allowDeletion === "yes",
        acknowledgments,
      });
      printer.say(`${name}: Repairing. \`reclaim instances repair off ${name}\` ends it.`);
    });
}

function addOff(repair: Command, surroundings: Surroundings): void {
  repair
    .command("off")
    .description(contract.instances.endRepair.title)
    .argument("<instance>", instanceText)
    .action(async (text: string, _options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const { id, name } = await findInstance(client, text);
      await client.instances.endRepair.mutate({ instanceId: id });
      printer.say(`${name}: online repair ended`);
    });
}

interface EscalateOptions {
  readonly issue?: Category;
  readonly summary?: string;
  readonly details?: string;
  readonly reason?: string;
}

function otherIssue({ issue, summary, details }: EscalateOptions) {
  if (issue === undefined && summary === undefined && details === undefined) return null;
  if (issue === undefined || summary === undefined)
    throw new CommandError(
      "usage",
      "To report another issue than the online repair's, give --issue and --summary.",
    );
  return { category: issue, summary, ...(details === undefined ? {} : { details }) };
}

function addEscalate(repair: Command, surroundings: Surroundings): void {
  repair
    .command("escalate")
    .description(contract.instances.escalateRepair.title)
    .argument("<instance>", instanceText)
    .option("--reason <text>", "why the online repair failed; otherwise the summary of the issue")
    .addOption(category("what is wrong; otherwise the issue of the online repair"))
    .option("--summary <text>", "of the issue")
    .option("--details <text>", "of the issue")
    .action(async (text: string, options: EscalateOptions, command: Command) => {
      const issue = otherIssue(options);
      const shell = await openShell(command, surroundings);
      const { id, name } = await findInstance(shell.client, text);
      await confirm(
        shell,
        [
          `The online repair of ${name} is ended and the instance released with its issue: its host is shut off from the tenant's network, and everything on its drives is erased. This cannot be undone.`,
        ],
        `Escalate ${name} to a full repair?`,
      );
      const { alreadyReleasing } = await shell.client.instances.escalateRepair.mutate({
        instanceId: id,
        issue,
        ...(options.reason === undefined ? {} : { failureReason: options.reason }),
      });
      shell.printer.say(
        alreadyReleasing ? `${name}: was already being released` : `${name}: escalated; release accepted`,
      );
    });
}
