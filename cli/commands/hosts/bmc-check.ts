// `reclaim bmc check`: whether Reclaim can work with a BMC or with one whose answers were captured. It asks the BMC itself, without a server.
import { z } from "zod";
import {
  bmcCheck as check,
  bmcChecks,
  bmcVerdicts,
  statusTones,
  statusWords,
  verdictWords,
  type BmcCheck,
  type BmcVerdict,
} from "@/server/domain/hardware/bmc-report";
import { list, record } from "@/server/contract/define";
import { accessOptions, addressOf, isFolder, requireNode } from "@/cli/commands/hosts/bmc-place";
import { command } from "@/cli/define/command";
import { arg, opt } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import type { Column, Printer } from "@/cli/output/printer";

export const checkColumns: readonly Column<BmcCheck>[] = [
  { name: "check", value: (row) => row.check, text: (row) => bmcChecks[row.check].label, whole: true },
  {
    name: "status",
    value: (row) => row.status,
    text: (row) => statusWords[row.status],
    tone: (row) => statusTones[row.status],
    whole: true,
  },
  {
    name: "says",
    value: (row) => row.says,
    text: (row) => (row.todo === null ? row.says : `${row.says} ${row.todo}`),
    long: true,
  },
  { name: "todo", value: (row) => row.todo, extra: true },
];

export const reportShape = record({ verdict: z.enum(bmcVerdicts), checks: list(check) });

/** Prints a report. Throws if the BMC cannot be worked with, or if that is not known. */
export function tellReport(
  printer: Printer,
  report: { readonly verdict: BmcVerdict; readonly checks: readonly BmcCheck[] },
): void {
  const { verdict, checks } = report;
  printer.show({ verdict, checks }, [{ table: printer.table(report.checks, checkColumns) }]);
  if (report.verdict === "works") return printer.say(verdictWords.works);
  throw new CommandError(
    report.verdict === "doesNotWork" ? "failed" : "notNow",
    verdictWords[report.verdict],
    "Each check says what to do.",
  );
}

export const bmcCheck = command("bmc check", {
  title: "says which of Reclaim's operations work with a BMC, or with a captured Redfish tree",
  shape: reportShape,
  signedIn: false,
  args: {
    place: arg(
      "<tree|address>",
      "folder with redfish/v1/index.json, as DMTF's mockups have it; or the address of a BMC",
    ),
  },
  options: { ...accessOptions, system: opt("<path>", "which system, if there are several") },
  examples: ["bmc check 10.0.0.7 --username root", "bmc check ./captured -o json"],
  note: "It changes nothing on a BMC but its sessions: it opens one and deletes it. No server of Reclaim takes part.\nExit code 1: Reclaim cannot work with the BMC as it is. 5: that is not known.",
  run: async ({ printer, surroundings }, { place, ca, certificate, system = null, ...given }) => {
    requireNode("bmc check");
    const { interrupted } = surroundings;
    // The client for BMCs takes longer to load than the rest of the command.
    const { checkAddress, checkTree } = await import("@/server/hardware/redfish/check/check-place");
    if (await isFolder(place)) {
      const report = await checkTree(place, system, interrupted);
      if (report === null)
        throw new CommandError(
          "usage",
          `${place} is no captured tree: it has no index.json of the service root, neither in redfish/v1 nor in itself.`,
        );
      return tellReport(printer, report);
    }
    const address = await addressOf(surroundings, place, { ...given, ca, certificate, system });
    return tellReport(printer, await checkAddress(address, interrupted));
  },
});
