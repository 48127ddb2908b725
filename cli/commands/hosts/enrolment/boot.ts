// `reclaim hosts boot`: how a host boots.
import { Option, type Command } from "commander";
import { actOnHosts } from "@/cli/commands/acts";
import { addTargets, readTargets, type TargetOptions } from "@/cli/commands/targets";
import { CommandError } from "@/cli/exit-codes";
import { readOnOff } from "@/cli/options";
import { openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";
import { bootDevices, bootModes } from "@/server/domain/hosts/boot-settings";
import type { BootDevice, BootMode } from "@/server/domain/hosts/boot-settings";
import { hostActions } from "@/server/domain/hosts/host-actions";

interface BootOptions extends TargetOptions {
  readonly device?: BootDevice;
  readonly persistent?: true;
  readonly mode?: BootMode;
  readonly secureBoot?: boolean;
}

/** @param hosts the command `reclaim hosts` */
export function addBoot(hosts: Command, surroundings: Surroundings): void {
  addTargets(
    hosts.command("boot").description(`${hostActions.setBoot.summary}; options not given stay unchanged`),
  )
    .addOption(new Option("--device <device>", "boot device of the next boot").choices(bootDevices))
    .option("--persistent", "with --device: of every boot, until Reclaim orders one")
    .addOption(new Option("--mode <mode>", "boot mode").choices(bootModes))
    .option("--secure-boot <on|off>", "secure boot", readOnOff)
    .action(async (names: string[], options: BootOptions, command: Command) => {
      const { device, persistent, mode, secureBoot } = options;
      if (device === undefined && mode === undefined && secureBoot === undefined)
        throw new CommandError("usage", "Name what to set, such as --device.");
      if (persistent !== undefined && device === undefined)
        throw new CommandError("usage", "--persistent is for --device.");
      const change = {
        ...(device === undefined ? {} : { device, persistent: persistent ?? false }),
        ...(mode === undefined ? {} : { mode }),
        ...(secureBoot === undefined ? {} : { secureBoot }),
      };
      const shell = await openShell(command, surroundings);
      await actOnHosts(shell, await readTargets(shell, names, options), {
        intent: "setBoot",
        perform: (seen) => shell.client.host.setBoot.mutate({ ...seen, ...change }),
      });
    });
}
