// `reclaim bmc test`, `bmc reset` and `bmc show`: a server's test of a host's BMC, and its restart (docs/hardware.md#test-bmc).
import { contract } from "@/server/contract/contract";
import { resetConsequence, resetPhaseWords, type BmcResetPhase } from "@/server/domain/hardware/bmc-reset";
import { verdictWords } from "@/server/domain/hardware/bmc-report";
import { checkColumns, reportShape, tellReport } from "@/cli/commands/hosts/bmc-check";
import { command, show } from "@/cli/define/command";
import { host, needed, opt, parsed } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import { interruptedError } from "@/cli/http";
import type { Printer } from "@/cli/output/printer";
import { pause } from "@/cli/live/pause";
import { readDuration } from "@/cli/options";
import { confirm } from "@/cli/shell";
import type { BmcReset } from "@/server/surfaces/trpc/types";

const lookEveryMs = 1_000;

const unreadable =
  "The report cannot be read: it was stored in a form that this release of Reclaim does not know.";

const testedAt = (at: Date | null, printer: Printer): string =>
  at === null ? "never" : printer.timeAndAge(at);

const resetFacts = (reset: BmcReset, printer: Printer): readonly (readonly [string, string | null])[] => [
  ["reset", resetPhaseWords[reset.phase]],
  ["reset requested", `${printer.timeAndAge(reset.requestedAt)}, by ${reset.requestedBy}: ${reset.reason}`],
  ["reset sent", reset.sentAt === null ? null : `${printer.timeAndAge(reset.sentAt)}, ${reset.type ?? ""}`],
  ["reset ended", reset.endedAt === null ? null : printer.timeAndAge(reset.endedAt)],
  ["reset result", reset.says],
  ["reset advice", reset.todo],
];

/** Prints how a reset ended. Throws if the BMC has not restarted, or if that is not known. */
function tellReset(printer: Printer, name: string, reset: BmcReset): void {
  printer.show(reset, [{ title: name, facts: [...resetFacts(reset, printer)] }]);
  if (reset.phase === "done") return;
  throw new CommandError(
    reset.phase === "unknown" ? "notNow" : "failed",
    reset.says ?? `The reset of the BMC of ${name} ended.`,
    reset.todo ?? undefined,
  );
}

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
  command("bmc reset", {
    title: contract.bmc.reset.title,
    uses: ["bmc.reset", "bmc.get"],
    shape: contract.bmc.get.output.unwrap().shape.reset.unwrap(),
    args: { host },
    options: {
      reason: needed(opt("<text>", "why; kept in the audit log")),
      timeout: parsed("<time>", "maximum time, such as 10m; ends with 8", readDuration),
    },
    note: "Exit code 1: it has not restarted, or does not answer as before. 5: whether it restarted is not known.",
    run: async (shell, { host: { id: hostId, name }, reason, timeout = Infinity }) => {
      const { client, printer, surroundings } = shell;
      await confirm(shell, [resetConsequence], `Reset the BMC of ${name}?`);
      await client.bmc.reset.mutate({ hostId, reason });
      const until = Date.now() + timeout;
      let told: BmcResetPhase | null = null;
      for (;;) {
        const { reset } = await client.bmc.get.query({ hostId });
        if (reset === null) throw new CommandError("failed", `${name} was deleted.`);
        if (reset.endedAt !== null) return tellReset(printer, name, reset);
        if (reset.phase !== told) printer.say(`${name}: ${resetPhaseWords[reset.phase]}`);
        told = reset.phase;
        if (Date.now() >= until)
          throw new CommandError(
            "late",
            `The BMC of ${name} is not back yet.`,
            `Reclaim still follows it: \`reclaim bmc show ${name}\` shows how far it is.`,
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
    parts: ({ wantedAt, report, unreadableAt, reset }, printer, { host: { name } }) => [
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
          ...(reset === null ? [] : resetFacts(reset, printer)),
        ],
      },
      ...(report === null ? [] : [{ table: printer.table(report.checks, checkColumns) }]),
    ],
  }),
];
