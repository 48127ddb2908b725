// `reclaim instances repair on`, `off`, `escalate`: a host is repaired while its tenant keeps it.
import { issueCategories } from "@/server/domain/repair/health-issue";
import { act } from "@/cli/define/command";
import { choice, flag, instance, needed, opt } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";

interface Accepted {
  readonly acceptDataCorruptionRisk: true | undefined;
  readonly acceptRepairTeamAccess: true | undefined;
  readonly acceptInstanceDeletionRisk: true | undefined;
}

/** Each acknowledgement that the server requires has its own flag: `--yes` must not accept a risk. */
function acknowledged(options: Accepted) {
  const { acceptDataCorruptionRisk, acceptRepairTeamAccess, acceptInstanceDeletionRisk } = options;
  if (!acceptDataCorruptionRisk || !acceptRepairTeamAccess || !acceptInstanceDeletionRisk)
    throw new CommandError(
      "usage",
      "An online repair may corrupt data, gives the repair team access to the host, and may end with the loss of the instance.",
      "Add --accept-data-corruption-risk, --accept-repair-team-access and --accept-instance-deletion-risk if you accept that.",
    );
  return { acceptDataCorruptionRisk, acceptRepairTeamAccess, acceptInstanceDeletionRisk };
}

const category = (text: string) => choice("<category>", text, issueCategories);

interface Issue {
  readonly issue: (typeof issueCategories)[number] | undefined;
  readonly summary: string | undefined;
  readonly details: string | undefined;
}

function otherIssue({ issue, summary, details }: Issue) {
  if (issue === undefined && summary === undefined && details === undefined) return null;
  if (issue === undefined || summary === undefined)
    throw new CommandError(
      "usage",
      "To report another issue than the online repair's, give --issue and --summary.",
    );
  return { category: issue, summary, ...(details === undefined ? {} : { details }) };
}

export const onlineRepair = [
  act("instances repair on", {
    of: "instances.beginRepair",
    args: { instance },
    options: {
      issue: needed(category("what is wrong")),
      summary: needed(opt("<text>", "summary of the issue; shown to the tenant")),
      details: needed(opt("<text>", "details for whoever repairs the host")),
      allowDeletion: needed(
        choice(
          "<yes|no>",
          "whether the tenant allows its instance to be deleted if the repair fails; a note for the repair team, stored as a label; nothing is deleted by itself",
          ["yes", "no"],
        ),
      ),
      acceptDataCorruptionRisk: flag("the repair may corrupt data on the host"),
      acceptRepairTeamAccess: flag("the repair team gets access to the host"),
      acceptInstanceDeletionRisk: flag("the instance may be lost"),
    },
    input: ({ instance: { id }, issue, summary, details, allowDeletion, ...accepted }) => ({
      instanceId: id,
      issue: { category: issue, summary, details },
      allowAutoInstanceDeletionOnFailure: allowDeletion === "yes",
      acknowledgments: acknowledged(accepted),
    }),
    said: ({ instance: { name } }) => `${name}: Repairing. \`reclaim instances repair off ${name}\` ends it.`,
  }),
  act("instances repair off", {
    of: "instances.endRepair",
    args: { instance },
    input: ({ instance: { id } }) => ({ instanceId: id }),
    said: ({ instance: { name } }) => `${name}: online repair ended`,
  }),
  act("instances repair escalate", {
    of: "instances.escalateRepair",
    args: { instance },
    options: {
      reason: opt("<text>", "why the online repair failed; default: the summary of the issue"),
      issue: category("what is wrong; default: the issue of the online repair"),
      summary: opt("<text>", "summary of the issue"),
      details: opt("<text>", "details of the issue"),
    },
    input: ({ instance: { id }, reason, ...issue }) => ({
      instanceId: id,
      issue: otherIssue(issue),
      failureReason: reason,
    }),
    asks: ({ instance: { name } }) => [
      [
        `The online repair of ${name} is ended and the instance released with its issue: its host is shut off from the tenant's network, and everything on its drives is erased. This cannot be undone.`,
      ],
      `Escalate ${name} to a full repair?`,
    ],
    said: ({ instance: { name } }, { alreadyReleasing }) =>
      alreadyReleasing ? `${name}: was already being released` : `${name}: escalated; release accepted`,
  }),
];
