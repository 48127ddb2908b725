// All subcommands, and what is the same for every one of them: global options, help, completion.
import { Command, Option } from "commander";
import packageJson from "@/package.json";
import { addAccount } from "@/cli/commands/account";
import { addAdmin } from "@/cli/commands/admin";
import { addBmc } from "@/cli/commands/enrolment/bmc";
import { addClean } from "@/cli/commands/clean";
import { addEnroll } from "@/cli/commands/enrolment/enroll";
import { addEnrolments } from "@/cli/commands/enrolment/enrolments";
import { addHostActs } from "@/cli/commands/host-acts";
import { addHostReads } from "@/cli/commands/hosts";
import { addInstances } from "@/cli/commands/instances";
import { addNode } from "@/cli/commands/node";
import { addPolicy } from "@/cli/commands/policy/policy";
import { addQueue } from "@/cli/commands/queue";
import { addReclamations } from "@/cli/commands/reclamations";
import { addRelease } from "@/cli/commands/release";
import { addSkus } from "@/cli/commands/site/skus";
import { addSite } from "@/cli/commands/site/site";
import { addSteps } from "@/cli/commands/steps";
import { addSessions, addTokens } from "@/cli/commands/access/tokens";
import { addUsers } from "@/cli/commands/access/users";
import { addWatch } from "@/cli/commands/watch";
import { completionScript, shells } from "@/cli/completion";
import { CommandError, exitCodesText } from "@/cli/exit-codes";
import { readNames } from "@/cli/options";
import { outputForms } from "@/cli/settings/settings-file";
import type { Surroundings } from "@/cli/surroundings";

function addGlobalOptions(program: Command): void {
  program
    .option("--url <address>", "of the server (RECLAIM_URL; http://localhost:3000)")
    .option(
      "--token <token>",
      "API token (RECLAIM_TOKEN). Others on this machine can see it here: keep it with `reclaim login`",
    )
    .option("--config <file>", "of settings (RECLAIM_CONFIG; ~/.config/reclaim/config.json)")
    .addOption(new Option("-o, --output <form>", "how results are printed").choices([...outputForms]))
    .option(
      "--columns <names>",
      "of a list, such as name,state; also those that are not shown otherwise",
      readNames,
    )
    .option("--utc", "times in UTC, not in the zone of this machine")
    .option("-y, --yes", "do not ask before what cannot be taken back");
}

function addHelp(program: Command, { stdout }: Surroundings): void {
  program.helpCommand(false);
  program
    .command("help")
    .description("help for a command; `reclaim help exit-codes` for how they end")
    .argument("[command...]", "such as: hosts list")
    .action((path: string[]) => {
      if (path.length === 1 && path[0] === "exit-codes") return void stdout.write(exitCodesText());
      let command: Command = program;
      for (const name of path) {
        const next: Command | undefined = command.commands.find(
          (child) => child.name() === name || child.aliases().includes(name),
        );
        if (next === undefined)
          throw new CommandError(
            "usage",
            `There is no command ${path.join(" ")}.`,
            "`reclaim help` lists them.",
          );
        command = next;
      }
      command.outputHelp();
    });
  program
    .command("completion")
    .description(`completion for ${shells.join(", ")}: eval "$(reclaim completion bash)"`)
    .argument("<shell>", shells.join(", "))
    .action((shell: string) => void stdout.write(completionScript(shell, program)));
}

/** Throws instead of ending the process; prints where the surroundings say. */
export function createProgram(surroundings: Surroundings): Command {
  const { stdout, stderr } = surroundings;
  const program = new Command("reclaim")
    .description("Takes bare-metal hosts back, cleans them, and proves that they are clean.")
    .version(packageJson.version, "-V, --version", "the version of this command")
    .exitOverride()
    .showHelpAfterError("`reclaim help <command>` tells more.")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      getOutHelpWidth: () => stdout.columns ?? 100,
      getErrHelpWidth: () => stderr.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText(
      "after",
      '\nFilters of hosts are those of the console. "reclaim help exit-codes" tells how commands end.\n',
    );
  addGlobalOptions(program);
  const hosts = program
    .command("hosts")
    .description(
      "list, show, enroll, set-bmc, confirm-certificate, maintenance, manage, provide, restart, inspect, drives, dispose-drive, withdraw-disposition, assign-sku, power-on, power-off, reboot, skip-erase-wait, delete",
    );
  addHostReads(hosts, surroundings);
  addEnroll(hosts, surroundings);
  addBmc(hosts, surroundings);
  addEnrolments(program, surroundings);
  addInstances(program, surroundings);
  addRelease(program, surroundings);
  addReclamations(program, surroundings);
  addSteps(program, surroundings);
  addClean(program, surroundings);
  addHostActs(program, hosts, surroundings);
  addWatch(program, surroundings);
  addPolicy(program, surroundings);
  addSite(program, surroundings);
  addSkus(program, surroundings);
  addQueue(program, surroundings);
  addNode(program, surroundings);
  addUsers(program, surroundings);
  addTokens(program, surroundings);
  addSessions(program, surroundings);
  addAdmin(program, surroundings);
  addAccount(program, surroundings);
  addHelp(program, surroundings);
  return program;
}
