// `reclaim release`: releases an instance. With an issue it uses NICo's own request; asking for a replacement needs ours, because NICo's cannot express that.
import type { Command } from "commander";
import { z } from "zod";
import { healthIssue } from "@/server/domain/repair/health-issue";
import { wished } from "@/server/domain/break-fix/ticket";
import { contract } from "@/server/contract/contract";
import type { InstanceRow } from "@/server/surfaces/trpc/types";
import { CommandError } from "@/cli/exit-codes";
import { exitOfStatus } from "@/cli/http";
import { addWaitOptions, waitFor } from "@/cli/commands/hosts/host-acts";
import type { WaitOptions } from "@/cli/commands/hosts/host-acts";
import { askBefore, findReleases, releaseAll, printWhichCan } from "@/cli/commands/instances/releases";
import type { Release } from "@/cli/commands/instances/releases";
import type { TargetOptions } from "@/cli/commands/targets";
import { readOnOff } from "@/cli/options";
import { openShell } from "@/cli/shell";
import type { Shell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

interface ReleaseOptions extends WaitOptions, TargetOptions {
  readonly host?: string;
  readonly issue?: string;
  readonly summary?: string;
  readonly details?: string;
  readonly repairTenant?: boolean;
  readonly replacement?: boolean;
}

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

export function addRelease(program: Command, surroundings: Surroundings): void {
  const release = program
    .command("release")
    .description(contract.instances.release.title)
    .argument("[instance...]", "names, ids, or the start of either")
    .option("--host <host>", "or whichever instance is on this host")
    .option(
      "--filter <filter>",
      "or the instances on all hosts that it finds, as `reclaim hosts list` takes it; asks first",
    )
    .option("--dry-run", "dry run: show which can be released")
    .option(
      "--issue <category>",
      "report a health issue with it: Hardware, Network, Performance, Other. The host is not allocated until it has been checked",
    )
    .option("--repair-tenant", "end a repair: its outcome is the label repair_status of the host")
    .option("--summary <text>", "of the issue")
    .option("--details <text>", "of the issue")
    .option("--replacement <on|off>", "with an issue: whether a replacement is wanted", readOnOff);
  addWaitOptions(release, "ready").action(
    async (texts: string[], options: ReleaseOptions, command: Command) => {
      const shell = await openShell(command, surroundings);
      const issue = issueOf(options);
      const wait = waitFor("ready", options);
      const targets = await findReleases(shell, texts, options);
      if (options.dryRun === true) return printWhichCan(shell, targets);
      if (wait !== null && targets.releases.some(({ host }) => host === null))
        throw new CommandError(
          "usage",
          "--wait follows the host, which only provider users can see.",
          "`reclaim instances status-history` shows its progress.",
        );
      const [only] = targets.releases;
      const said: Said = {
        issue,
        repairTenant: options.repairTenant === true,
        replacement: options.replacement === true,
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
  );
}
