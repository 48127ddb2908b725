// `reclaim hosts set-bmc` and `confirm-certificate`: unblocks a host that stopped because its BMC could not be reached or trusted.
import type { Command } from "commander";
import { actOnHosts } from "@/cli/commands/acts";
import { addTargets, readTargets } from "@/cli/commands/targets";
import type { TargetOptions } from "@/cli/commands/targets";
import { CommandError } from "@/cli/exit-codes";
import { findHost } from "@/cli/find";
import { readNames } from "@/cli/options";
import { readNamedSecrets } from "@/cli/settings/secrets";
import { openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";
import { keptText } from "@/server/domain/hardware/bmc-system";
import { formatFingerprint } from "@/server/domain/hardware/certificate";
import { hostActions } from "@/server/domain/hosts/host-actions";

interface BmcOptions extends TargetOptions {
  readonly address?: string;
  readonly system?: string;
  readonly username?: string;
  readonly passwordFrom?: string;
  readonly certificate?: string;
  readonly serial?: string;
  readonly macs?: readonly string[];
  readonly retry: boolean;
}

function addSetBmc(hosts: Command, surroundings: Surroundings): void {
  addTargets(hosts.command("set-bmc").description(hostActions.setBmc.summary))
    .option("--address <address>", "such as https://10.0.0.7")
    .option("--system <path|none>", "which system, if the BMC has several, such as /redfish/v1/Systems/2")
    .option("--username <name>", "how to sign in")
    .option("--password-from <reference>", "env:NAME or file:path; never the password itself")
    .option("--certificate <sha256>", "fingerprint that it must present")
    .option("--serial <serial|none>", "that it must report, for a host whose BMC was not read yet")
    .option("--macs <macs>", "ports to add, if the BMC lists no network cards", readNames)
    .option("--no-retry", "do not resume a host that stopped")
    .action(async (names: string[], options: BmcOptions, command: Command) => {
      const { address, system, username, passwordFrom, certificate, serial, macs, retry } = options;
      if (
        [address, system, username, passwordFrom, certificate, serial, macs].every(
          (given) => given === undefined,
        )
      )
        throw new CommandError("usage", "Name what to change, such as --password-from.");
      if (
        options.filter !== undefined &&
        [address, system, certificate, serial, macs].some((given) => given !== undefined)
      )
        throw new CommandError(
          "usage",
          "--address, --system, --certificate, --serial and --macs apply to a single BMC. Name the host.",
          "A filter takes --username and --password-from.",
        );
      const shell = await openShell(command, surroundings);
      const secrets = await readNamedSecrets(
        "The command",
        passwordFrom === undefined ? [] : [passwordFrom],
        ".",
        surroundings,
      );
      const change = {
        ...(address === undefined ? {} : { address }),
        ...(system === undefined ? {} : { system: system === "none" ? null : system }),
        ...(username === undefined ? {} : { username }),
        ...(passwordFrom === undefined ? {} : { password: secrets[passwordFrom] ?? "" }),
        ...(certificate === undefined ? {} : { certificate }),
        ...(serial === undefined ? {} : { expectedSerial: serial === "none" ? null : serial }),
        ...(macs === undefined ? {} : { macs: [...macs] }),
        retry,
      };
      const targets = await readTargets(shell, names, options);
      const others = new Set<string>();
      await actOnHosts(shell, targets, {
        intent: "setBmc",
        perform: async ({ hostId }) => {
          const changed = await shell.client.host.setBmc.mutate({ hostId, ...change });
          for (const name of changed.others) others.add(name);
        },
      });
      for (const { name } of targets.hosts) others.delete(name);
      for (const words of keptText([...others])) shell.printer.say(`${words}.`);
    });
}

function addConfirmCertificate(hosts: Command, surroundings: Surroundings): void {
  hosts
    .command("confirm-certificate")
    .description(hostActions.confirmCertificate.summary)
    .argument("<host>", "name, id, or the start of either")
    .option("--sha256 <fingerprint>", "that you compared; without it you are asked to confirm the one shown")
    .action(async (name: string, { sha256 }: { sha256?: string }, command: Command) => {
      const shell = await openShell(command, surroundings);
      const host = await shell.client.host.get.query({ host: (await findHost(shell.client, name)).id });
      const shown = host.certificate;
      await actOnHosts(
        shell,
        { hosts: [host], filter: null, dryRun: false },
        {
          intent: "confirmCertificate",
          consequences:
            shown === null
              ? []
              : [
                  `SHA-256 ${formatFingerprint(shown.sha256)}`,
                  `subject ${shown.subject}, issuer ${shown.issuer}, valid until ${shown.validTo.slice(0, 10)}`,
                ],
          perform: ({ hostId }) =>
            shell.client.host.confirmCertificate.mutate({ hostId, sha256: sha256 ?? shown?.sha256 ?? "" }),
        },
      );
    });
}

/** @param hosts the command `reclaim hosts` */
export function addBmc(hosts: Command, surroundings: Surroundings): void {
  addSetBmc(hosts, surroundings);
  addConfirmCertificate(hosts, surroundings);
}
