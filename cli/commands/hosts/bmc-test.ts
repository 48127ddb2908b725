// `reclaim bmc test` and `bmc show`: a server's test of a host's BMC (docs/hardware.md#test-bmc).
import { contract } from "@/server/contract/contract";
import { verdictWords } from "@/server/domain/hardware/bmc-report";
import { checkColumns, reportShape, tellReport } from "@/cli/commands/hosts/bmc-check";
import { command, show } from "@/cli/define/command";
import { host, parsed } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import { interruptedError } from "@/cli/http";
import type { Printer } from "@/cli/output/printer";
import { pause } from "@/cli/live/pause";
import { readDuration } from "@/cli/options";

const lookEveryMs = 1_000;

const unreadable =
  "The report cannot be read: it was stored in a form that this release of Reclaim does not know.";

const testedAt = (at: Date | null, printer: Printer): string =>
  at === null ? "never" : printer.timeAndAge(at);

export const bmcTests = [
  command("bmc test", {
    title: `${contract.bmc.test.title}, and prints the report`,
    uses: ["bmc.test", "bmc.get"],
    shape: reportShape,
    args: { host },
    options: { timeout: parsed("<time>", "maximum time, such as 5m; ends with 8", readDuration) },
    note: "Exit code 1: Reclaim cannot work with the BMC as it is. 5: that is not known.",
    run: async ({ client, printer, surroundings }, { host: { id: hostId, name }, timeout = Infinity }) => {
      const { waits } = await client.bmc.test.mutate({ hostId });
      if (waits) printer.say(`${name} is tested once no drive may be erasing and no repair system has it.`);
      const until = Date.now() + timeout;
      for (;;) {
        const { wantedAt, report, unreadableAt } = await client.bmc.get.query({ hostId });
        if (wantedAt === null && report !== null) return tellReport(printer, report);
        if (wantedAt === null)
          throw unreadableAt === null
            ? new CommandError("failed", `${name} was deleted before its BMC was tested.`)
            : new CommandError("failed", unreadable, "Test again once all servers run the same release.");
        if (Date.now() >= until)
          throw new CommandError(
            "late",
            `${name} is not tested yet.`,
            `It is still requested: \`reclaim bmc show ${name}\` shows the report.`,
          );
        await pause(lookEveryMs, surroundings.interrupted);
        if (surroundings.interrupted.aborted) throw interruptedError();
      }
    },
  }),
  show("bmc show", {
    of: "bmc.get",
    args: { host },
    input: ({ host: { id } }) => ({ hostId: id }),
    parts: ({ wantedAt, report, unreadableAt }, printer, { host: { name } }) => [
      {
        title: name,
        facts: [
          ["tested", testedAt(report?.at ?? unreadableAt, printer)],
          ["address", report?.address ?? null],
          [
            "result",
            unreadableAt !== null ? unreadable : report === null ? null : verdictWords[report.verdict],
          ],
          ["requested", wantedAt === null ? null : printer.timeAndAge(wantedAt)],
        ],
      },
      ...(report === null ? [] : [{ table: printer.table(report.checks, checkColumns) }]),
    ],
  }),
];
