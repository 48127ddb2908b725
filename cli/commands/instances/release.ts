// `reclaim release`: releases an instance. With an issue it uses NICo's own request; asking for a replacement needs ours, because NICo's cannot express that.
import { z } from "zod";
import { healthIssue } from "@/server/domain/repair/health-issue";
import { wished } from "@/server/domain/break-fix/ticket";
import { list, record } from "@/server/contract/define";
import { contract } from "@/server/contract/contract";
import type { InstanceRow } from "@/server/surfaces/trpc/types";
import { command } from "@/cli/define/command";
import { arg, flag, opt, parsed } from "@/cli/define/values";
import type { Given } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import { exitOfStatus } from "@/cli/http";
import { waitFor, waitOptions } from "@/cli/commands/acts";
import { askBefore, findReleases, releaseAll, printWhichCan } from "@/cli/commands/instances/releases";
import type { Release } from "@/cli/commands/instances/releases";
import { readOnOff } from "@/cli/options";
import type { Shell } from "@/cli/shell";

const options = {
  host: opt("<host>", "or whichever instance is on this host"),
  filter: opt("<filter>", "or the instances on all hosts that match, as in `reclaim hosts list`; asks first"),
  dryRun: flag("show which can be released, and change nothing"),
  issue: opt(
    "<category>",
    "report a health issue with it: Hardware, Network, Performance, Storage, Software, Other. The host is not allocated until it has been checked",
  ),
  repairTenant: flag("end a repair: its outcome is the label repair_status of the host"),
  summary: opt("<text>", "summary of the issue"),
  details: opt("<text>", "details of the issue"),
  replacement: parsed("<on|off>", "with an issue: whether a replacement is wanted", readOnOff),
  ...waitOptions("ready"),
};
type ReleaseOptions = Given<typeof options>;

/** What is reported about the machine with its release. */
interface Said {
  readonly issue: { readonly category: string; readonly summary: string; readonly details?: string } | null;
  readonly repairTenant: boolean;
  readonly replacement: boolean;
}

const nicoFailure = z.looseObject({ message: z.string(), data: z.record(z.string(), z.string()).nullish() });

/** Releases with a request for a replacement, through our own API. */
async function releaseWishing({ client }: Shell, id: string, { issue }: Said): Promise<string> {
  const read = healthIssue.safeParse(issue);
  if (!read.success)
    throw new CommandError("usage", read.error.issues[0]?.message ?? "The issue is not valid.");
  const [answer] = await client.instances.release.mutate({
    ids: [id],
    issue: read.data,
    ...wished,
  });
  if (answer?.ok !== true)
    throw new CommandError("notNow", answer?.message ?? "The server returned no result.");
  return answer.message;
}

/** Reports the server's own message, whatever it is: the server decides whether it accepts issues. */
async function releaseSaying(shell: Shell, { id, tenantOrg }: InstanceRow, said: Said): Promise<string> {
  if (said.replacement) return releaseWishing(shell, id, said);
  const { ask } = shell;
  const response = await ask(`/v2/org/${encodeURIComponent(tenantOrg)}/nico/instance/${id}`, {
    method: "DELETE",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      ...(said.issue === null ? {} : { machineHealthIssue: said.issue }),
      ...(said.repairTenant ? { isRepairTenant: true } : {}),
    }),
  });
  const text = await response.text();
  if (response.ok) return text;
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    answer = null;
  }
  const failure = nicoFailure.safeParse(answer);
  const faults = failure.success
    ? Object.entries(failure.data.data ?? {}).map(([field, words]) => `${field} ${words}`)
    : [];
  const words = failure.success
    ? [failure.data.message, ...faults].join("; ")
    : `The server responded with status ${response.status}.`;
  throw new CommandError(
    response.status === 400 ? "usage" : exitOfStatus(response.status),
    words,
    response.status === 501 ? "Nothing was released: the server is of an earlier release." : null,
  );
}

function issueOf({ issue, summary, details, replacement }: ReleaseOptions): {
  readonly category: string;
  readonly summary: string;
  readonly details?: string;
} | null {
  if (issue === undefined) {
    if (summary !== undefined || details !== undefined || replacement === true)
      throw new CommandError("usage", "--summary, --details and --replacement are for --issue.");
    return null;
  }
  if (summary === undefined)
    throw new CommandError("usage", "An issue needs a --summary: what is wrong with the host.");
  return { category: issue, summary, ...(details === undefined ? {} : { details }) };
}

const ofInstance = { instance: z.string(), id: z.string(), message: z.string() };

export const release = command("release", {
  title: contract.instances.release.title,
  uses: ["instances.release"],
  shape: z.union([
    record({ ...ofInstance, accepted: z.literal(true) }),
    list(record({ ...ofInstance, accepted: z.boolean() })),
    list(record({ ...ofInstance, possible: z.boolean() })),
  ]),
  args: { instance: arg("[instance...]", "names, ids, or the start of either") },
  options,
  examples: [
    "release train-1 --wait",
    "release --host gpu-a-0417 --issue Hardware --summary 'GPU 3 fell off the bus'",
  ],
  run: async (shell, { instance: texts, ...given }) => {
    const issue = issueOf(given);
    const wait = waitFor("ready", given) ?? null;
    const targets = await findReleases(shell, texts, given);
    if (given.dryRun === true) return printWhichCan(shell, targets);
    if (wait !== null && targets.releases.some(({ host }) => host === null))
      throw new CommandError(
        "usage",
        "--wait follows the host, which only provider users can see.",
        "`reclaim instances status-history` shows its progress.",
      );
    const [only] = targets.releases;
    const said: Said = {
      issue,
      repairTenant: given.repairTenant === true,
      replacement: given.replacement === true,
    };
    if (said.repairTenant && said.replacement)
      throw new CommandError("usage", "--replacement is not for the end of a repair.");
    const says = issue !== null || said.repairTenant;
    if (says && (only === undefined || targets.isList))
      throw new CommandError("usage", "An issue or the end of a repair applies to one instance. Name one.");
    const confirmed = await askBefore(shell, targets);
    const send = says ? ({ instance }: Release) => releaseSaying(shell, instance, said) : null;
    await releaseAll(shell, { ...targets, ...confirmed }, { wait, send });
  },
});
