// All subcommands, and what they have in common: global options, help, completion.
import { Command, Option } from "commander";
import packageJson from "@/package.json";
import { addAccount } from "@/cli/commands/access/account";
import { addAdmin } from "@/cli/commands/access/admin";
import { addCertificates, addVerifyBundle } from "@/cli/commands/assurance/certificates/certificates";
import { addProof } from "@/cli/commands/assurance/proof/proof";
import { addTrust } from "@/cli/commands/assurance/certificates/trust-file";
import { addEvidence } from "@/cli/commands/assurance/evidence";
import { addAudit } from "@/cli/commands/audit-log/audit";
import { addApprovals } from "@/cli/commands/assurance/approvals";
import { addExceptions } from "@/cli/commands/assurance/exceptions";
import { addProcedures } from "@/cli/commands/assurance/procedures";
import { addBmc } from "@/cli/commands/hosts/enrolment/bmc";
import { addClean } from "@/cli/commands/cleaning/clean";
import { addEnroll } from "@/cli/commands/hosts/enrolment/enroll";
import { addEnrolments } from "@/cli/commands/hosts/enrolment/enrolments";
import { addDriveReads } from "@/cli/commands/hosts/drives/drives";
import { addDecommissions } from "@/cli/commands/hosts/decommission";
import { addFailures } from "@/cli/commands/cleaning/failures";
import { addFleet } from "@/cli/commands/fleet/fleet";
import { addHealth } from "@/cli/commands/repair/health";
import { addLeases, addRepairSystems } from "@/cli/commands/repair/leases";
import { addHealthSources } from "@/cli/commands/repair/health-sources";
import { addHostActs } from "@/cli/commands/hosts/host-acts";
import { addHostHistory } from "@/cli/commands/hosts/host-history";
import { addHostReads } from "@/cli/commands/hosts/hosts";
import { addImages } from "@/cli/commands/cleaning/images";
import { addInstances } from "@/cli/commands/instances/instances";
import { addNode } from "@/cli/commands/hosts/node";
import { addPolicy } from "@/cli/commands/cleaning/policy/policy";
import { addBrakes, addQueue } from "@/cli/commands/cleaning/queue";
import { addReclamations } from "@/cli/commands/reclamations/reclamations";
import { addRepair } from "@/cli/commands/repair/repair";
import { addRelease } from "@/cli/commands/instances/release";
import { addRunbooks } from "@/cli/commands/cleaning/runbooks";
import { addSkus } from "@/cli/commands/hosts/skus";
import { addSite } from "@/cli/commands/sites/site";
import { addSteps } from "@/cli/commands/cleaning/steps";
import { addSessions, addTokens } from "@/cli/commands/access/tokens";
import { addBreakFix } from "@/cli/commands/break-fix/break-fix";
import { addSecurity } from "@/cli/commands/access/security-events";
import { addTenants } from "@/cli/commands/sites/tenants";
import { addUsers } from "@/cli/commands/access/users";
import { addViews } from "@/cli/commands/hosts/views";
import { addWatch } from "@/cli/commands/watch";
import { addWitness } from "@/cli/commands/audit-log/witness";
import { placeOf } from "@/cli/completion/place";
import { completionScript, shells } from "@/cli/completion/scripts";
import { valuesOf } from "@/cli/completion/values";
import { CommandError, exitCodesText } from "@/cli/exit-codes";
import { readNames } from "@/cli/options";
import { outputSchema, outputVersion } from "@/cli/output/shapes";
import { plain } from "@/cli/output/text";
import { readAllSettings } from "@/cli/settings/settings";
import type { GlobalOptions } from "@/cli/settings/settings";
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

/** Used by the completion scripts: candidates for the last word, one per line. */
function addCandidates(program: Command, surroundings: Surroundings): void {
  program
    .command("__complete", { hidden: true })
    .argument("[word...]")
    .action(async (given: string[], _options: object, command: Command) => {
      const current = given.at(-1) ?? "";
      const { words, kind } = placeOf(program, given.slice(0, -1), current);
      const settings = await readAllSettings(command.optsWithGlobals<GlobalOptions>(), surroundings);
      const names =
        kind === null || settings.token === null ? [] : await valuesOf(kind, current, settings, surroundings);
      const found = [...words, ...names].filter((word) => word.startsWith(current));
      surroundings.stdout.write(found.map((word) => `${plain(word)}\n`).join(""));
    });
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
    .command("schema")
    .description("JSON Schema of what a command prints with -o json")
    .argument("<command...>", "such as: hosts list")
    .action((path: string[]) => {
      const schema = outputSchema(path.join(" "));
      if (schema === null)
        throw new CommandError(
          "usage",
          `${path.join(" ")} prints no data.`,
          "`reclaim help` lists commands.",
        );
      stdout.write(`${JSON.stringify({ outputVersion, schema }, null, 2)}\n`);
    });
  program
    .command("completion")
    .description(`completion for ${shells.join(", ")}: eval "$(reclaim completion bash)"`)
    .argument("<shell>", shells.join(", "))
    .action((shell: string) => void stdout.write(completionScript(shell)));
}

const addHostsCommand = (program: Command): Command =>
  program
    .command("hosts")
    .description(
      "list, show, history, views, save-view, delete-view, filter-values, traits, enroll, set-bmc, confirm-certificate, maintenance, manage, provide, restart, inspect, drives, dispose-drive, withdraw-disposition, assign-sku, health, lease, power-on, power-off, reboot, skip-erase-wait, ask-network, decommission, accept-leftovers, leftovers, gone, delete",
    );

function addHealthCommands(program: Command, hosts: Command, surroundings: Surroundings): void {
  addHealth(hosts, surroundings);
  addHealthSources(program, surroundings);
  addLeases(hosts, surroundings);
  addRepairSystems(program, surroundings);
}

/** Access and audit commands. */
function addAccess(program: Command, surroundings: Surroundings): void {
  addTenants(program, surroundings);
  addUsers(program, surroundings);
  addTokens(program, surroundings);
  addSessions(program, surroundings);
  addAudit(program, surroundings);
  addSecurity(program, surroundings);
  addApprovals(program, surroundings);
  addExceptions(program, surroundings);
  addProcedures(program, surroundings);
  addEvidence(program, surroundings);
  addCertificates(program, surroundings);
  addProof(program, surroundings);
  addVerifyBundle(program, surroundings);
  addTrust(program, surroundings);
  addAdmin(program, surroundings);
  addAccount(program, surroundings);
}

/** Throws instead of ending the process; prints to the given surroundings. */
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
  const hosts = addHostsCommand(program);
  addHostReads(hosts, surroundings);
  addHostHistory(hosts, surroundings);
  addViews(hosts, surroundings);
  addEnroll(hosts, surroundings);
  addBmc(hosts, surroundings);
  addEnrolments(program, surroundings);
  addDriveReads(program, surroundings);
  addFleet(program, surroundings);
  addInstances(program, surroundings);
  addRelease(program, surroundings);
  addBreakFix(program, surroundings);
  addRepair(program, surroundings);
  addReclamations(program, surroundings);
  addSteps(program, surroundings);
  addClean(program, surroundings);
  addHostActs(program, hosts, surroundings);
  addHealthCommands(program, hosts, surroundings);
  addDecommissions(hosts, surroundings);
  addWatch(program, surroundings);
  addWitness(program, surroundings);
  addPolicy(program, surroundings);
  addSite(program, surroundings);
  addSkus(program, surroundings);
  addRunbooks(program, surroundings);
  addQueue(program, surroundings);
  addBrakes(program, surroundings);
  addFailures(program, surroundings);
  addImages(program, surroundings);
  addNode(program, surroundings);
  addAccess(program, surroundings);
  addHelp(program, surroundings);
  addCandidates(program, surroundings);
  return program;
}
