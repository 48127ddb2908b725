// `reclaim release`: gives an instance up; with an issue by NICo's own request, which is the one that takes an issue.
import type { Command } from "commander";
import { z } from "zod";
import { contract } from "@/server/contract/contract";
import type { InstanceMatch } from "@/server/surfaces/trpc/types";
import { CommandError } from "@/cli/exit-codes";
import { findHost, findInstance } from "@/cli/find";
import { exitOfStatus } from "@/cli/http";
import { addWaitOptions, waitFor } from "@/cli/commands/host-acts";
import type { WaitOptions } from "@/cli/commands/host-acts";
import { followHosts } from "@/cli/live/follow";
import { confirm, openShell } from "@/cli/shell";
import type { Shell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

interface ReleaseOptions extends WaitOptions {
  readonly host?: string;
  readonly issue?: string;
  readonly summary?: string;
  readonly details?: string;
}

interface Release {
  readonly instance: Pick<InstanceMatch, "id" | "name" | "org">;
  /** Null for tenants, who do not see hosts. */
  readonly host: { readonly id: string; readonly name: string; readonly stateVersion: string } | null;
}

async function findRelease(
  { client }: Shell,
  text: string | undefined,
  hostText: string | undefined,
): Promise<Release> {
  if ((text === undefined) === (hostText === undefined))
    throw new CommandError("usage", "Name either an instance or --host.");
  if (hostText === undefined) {
    const match = await findInstance(client, text ?? "");
    const { host } = await client.instances.get.query({ id: match.id });
    return {
      instance: match,
      host:
        host === null
          ? null
          : { ...host, stateVersion: (await client.host.get.query({ host: host.id })).stateVersion },
    };
  }
  const host = await findHost(client, hostText);
  const { instance } = await client.host.get.query({ host: host.id });
  if (instance === null)
    throw new CommandError("notNow", `No tenant has ${host.name}, so there is nothing to release.`);
  return { instance: await findInstance(client, instance.id), host };
}

const nicoFailure = z.looseObject({ message: z.string(), data: z.record(z.string(), z.string()).nullish() });

/** The server's own words, whatever they are: whether it takes issues is for it to say. */
async function releaseWithIssue(
  { ask }: Shell,
  { id, org }: Release["instance"],
  issue: { readonly category: string; readonly summary: string; readonly details?: string },
): Promise<string> {
  const response = await ask(`/v2/org/${encodeURIComponent(org)}/nico/instance/${id}`, {
    method: "DELETE",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ machineHealthIssue: issue }),
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
    : `The server answered with status ${response.status}.`;
  throw new CommandError(
    response.status === 400 ? "usage" : exitOfStatus(response.status),
    words,
    response.status === 501 ? "Nothing was released. Without --issue it can be." : null,
  );
}

function issueOf({ issue, summary, details }: ReleaseOptions): {
  readonly category: string;
  readonly summary: string;
  readonly details?: string;
} | null {
  if (issue === undefined) {
    if (summary !== undefined || details !== undefined)
      throw new CommandError("usage", "--summary and --details are for --issue.");
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
    .argument("[instance]", "name, id, or the beginning of one")
    .option("--host <host>", "or whichever instance is on this host")
    .option(
      "--issue <category>",
      "report a health issue with it: Hardware, Network, Performance, Other. It goes to the server as NICo's request; one that takes no issues says so, and releases nothing",
    )
    .option("--summary <text>", "of the issue")
    .option("--details <text>", "of the issue");
  addWaitOptions(release, "ready").action(
    async (text: string | undefined, options: ReleaseOptions, command: Command) => {
      const shell = await openShell(command, surroundings);
      const issue = issueOf(options);
      const wait = waitFor("ready", options);
      const found = await findRelease(shell, text, options.host);
      const { instance, host } = found;
      if (wait !== null && host === null)
        throw new CommandError(
          "usage",
          "--wait follows the host, which only the provider's people see.",
          "`reclaim instances status-history` tells how far it is.",
        );
      const row = await shell.client.instances.get.query({ id: instance.id });
      if (row.release.allowed) {
        await confirm(
          shell,
          [
            `${instance.name}${host === null ? "" : ` on ${host.name}`} is taken from ${row.tenantName}: its host is shut off from the tenant's network, and everything on its drives is erased. This cannot be undone.`,
          ],
          `Release ${instance.name}?`,
        );
      }
      const message =
        issue === null
          ? await releasePlainly(shell, instance)
          : await releaseWithIssue(shell, instance, issue);
      if (shell.settings.output === "table") shell.printer.say(`${instance.name}: ${message}`);
      else shell.printer.show({ instance: instance.name, id: instance.id, accepted: true, message }, []);
      if (wait !== null && host !== null)
        await followHosts(shell, {
          hosts: [{ id: host.id, name: host.name, after: host.stateVersion }],
          ...wait,
        });
    },
  );
}

async function releasePlainly({ client }: Shell, { id }: Release["instance"]): Promise<string> {
  const [result] = await client.instances.release.mutate({ ids: [id] });
  if (result?.ok === true) return result.message;
  const { release } = await client.instances.get.query({ id });
  // The list of results has no codes: what is refused although the role may and the instance is there, is refused by its state.
  throw new CommandError(
    "notNow",
    result?.message ?? "The server gave no result.",
    release.reason === null ? null : `It says: ${release.reason}.`,
  );
}
