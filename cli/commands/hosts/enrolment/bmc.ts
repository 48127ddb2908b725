// `reclaim hosts set-bmc` and `confirm-certificate`: unblocks a host that stopped because its BMC could not be reached or trusted.
import { actOnHosts, actResults } from "@/cli/commands/acts";
import { readTargets, targetArgs, targetOptions } from "@/cli/commands/targets";
import { command } from "@/cli/define/command";
import { arg, hostText, opt, parsed, unless } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import { findHost } from "@/cli/find";
import { readNames } from "@/cli/options";
import { readNamedSecrets } from "@/cli/settings/secrets";
import { keptText } from "@/server/domain/hardware/bmc-system";
import { formatFingerprint } from "@/server/domain/hardware/certificate";
import { hostActions } from "@/server/domain/hosts/host-actions";

export const bmc = [
  command("hosts set-bmc", {
    title: hostActions.setBmc.summary,
    uses: ["host.setBmc"],
    shape: actResults,
    args: targetArgs,
    options: {
      ...targetOptions,
      address: opt("<address>", "such as https://10.0.0.7"),
      system: opt("<path|none>", "which system, if the BMC has several, such as /redfish/v1/Systems/2"),
      username: opt("<name>", "user name on the BMC"),
      passwordFrom: opt("<reference>", "env:NAME or file:path; never the password itself"),
      certificate: opt("<sha256>", "certificate fingerprint that it must present"),
      serial: opt(
        "<serial|none>",
        "serial number that it must report, for a host whose BMC was not read yet",
      ),
      macs: parsed(
        "<macs>",
        "ports to add, if the BMC lists no network cards",
        (text, before: readonly string[] | undefined) => readNames(text, before),
      ),
      retry: unless("--no-retry", "do not resume a host that stopped"),
    },
    run: async (shell, { host: names, ...options }) => {
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
          "With --filter, only --username and --password-from can be set.",
        );
      const secrets = await readNamedSecrets(
        "The command",
        passwordFrom === undefined ? [] : [passwordFrom],
        ".",
        shell.surroundings,
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
    },
  }),
  command("hosts confirm-certificate", {
    title: hostActions.confirmCertificate.summary,
    uses: ["host.confirmCertificate"],
    shape: actResults,
    args: { host: arg("<host>", hostText) },
    options: {
      sha256: opt(
        "<fingerprint>",
        "fingerprint that you compared; default: asks you to confirm the one shown",
      ),
    },
    run: async (shell, { host: name, sha256 }) => {
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
    },
  }),
];
