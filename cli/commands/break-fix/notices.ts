// `reclaim notices`: maintenance, retirement and replacement that the provider announces (docs/repair.md#notices).
import { Option } from "commander";
import type { Command } from "commander";
import { contract } from "@/server/contract/contract";
import { noticeEnds, noticeKinds } from "@/server/domain/break-fix/notice";
import type { NoticeEnd, NoticeKind } from "@/server/domain/break-fix/notice";
import type { NoticeRow } from "@/server/surfaces/trpc/types";
import { CommandError } from "@/cli/exit-codes";
import { findHost } from "@/cli/find";
import { readMoment } from "@/cli/options";
import { csvText } from "@/cli/output/csv";
import type { Column } from "@/cli/output/printer";
import { openShell } from "@/cli/shell";
import type { Surroundings } from "@/cli/surroundings";

const columns: readonly Column<NoticeRow>[] = [
  { name: "notice", value: (row) => row.ref, whole: true },
  { name: "kind", value: (row) => row.kind, whole: true },
  { name: "is", value: (row) => row.standingWords, tone: (row) => row.tone, whole: true },
  { name: "from", value: (row) => row.startsAt },
  { name: "until", value: (row) => row.endsAt },
  { name: "for", value: (row) => row.host ?? row.rack ?? row.scope },
  { name: "site", value: (row) => row.site },
  {
    name: "instances",
    value: (row) => row.instances.map(({ name }) => name),
    text: ({ instances, concerned }) =>
      [
        ...instances.map(({ name }) => name),
        ...(concerned > instances.length ? [`${concerned - instances.length} more`] : []),
      ].join(", "),
  },
  { name: "concerned", value: (row) => row.concerned, extra: true },
  { name: "read by", value: (row) => row.acknowledged.map(({ tenant }) => tenant) },
  { name: "message", value: (row) => row.message, long: true },
  { name: "note", value: (row) => row.note, extra: true },
  { name: "changed", value: (row) => row.updatedAt, extra: true },
  { name: "host ids", value: (row) => row.instances.map(({ hostId }) => hostId), extra: true },
];

const perPage = 50;

const noticeText = "its reference, such as MN-7K3Q9DX2M1, or its id";

function addList(notices: Command, surroundings: Surroundings): void {
  notices
    .command("list")
    .alias("ls")
    .description(contract.notices.list.title)
    .addOption(new Option("--status <which>", "which").choices(["open", "ended", "all"]).default("open"))
    .option("--host <host>", "that affect this host; for provider users")
    .option("--csv", "as CSV, with all columns")
    .action(
      async (
        { status, host, csv }: { status: "open" | "ended" | "all"; host?: string; csv?: boolean },
        command: Command,
      ) => {
        const { client, printer } = await openShell(command, surroundings);
        const found = host === undefined ? null : await findHost(client, host);
        const question = { status, allInstances: csv, ...(found === null ? {} : { hostId: found.id }) };
        const rows: NoticeRow[] = [];
        let page: readonly NoticeRow[];
        do {
          page = await client.notices.list.query({ ...question, after: rows.at(-1)?.id, limit: perPage });
          rows.push(...page);
        } while (page.length === perPage);
        if (csv === true) return printer.text(csvText(rows, columns));
        printer.list(rows, columns, "No notices.");
      },
    );
}

interface CreateOptions {
  readonly host?: string;
  readonly rack?: string;
  readonly site?: string;
  readonly from?: Date;
  readonly until?: Date;
  readonly message: string;
  readonly note?: string;
}

function addCreate(notices: Command, surroundings: Surroundings): void {
  notices
    .command("create")
    .description(contract.notices.create.title)
    .argument("<kind>", noticeKinds.join(", "))
    .option("--host <host>", "for one host")
    .option("--site <name>", "for all hosts of a site")
    .option("--rack <name>", "with --site: for those of this rack")
    .option("--from <time>", "when it starts; default: now", readMoment)
    .option("--until <time>", "when it is over", readMoment)
    .requiredOption("--message <text>", "the text for tenants")
    .option("--note <text>", "internal note")
    .action(async (text: string, options: CreateOptions, command: Command) => {
      const { host, site, rack, from, until, message, note } = options;
      const kind: NoticeKind | undefined = noticeKinds.find((each) => each === text);
      if (kind === undefined)
        throw new CommandError("usage", `A notice is one of: ${noticeKinds.join(", ")}.`);
      if ((host === undefined) === (site === undefined) || (rack !== undefined && site === undefined))
        throw new CommandError("usage", "Name --host, or --site, or --site and --rack.");
      const { client, printer } = await openShell(command, surroundings);
      const target =
        host !== undefined
          ? { hostId: (await findHost(client, host)).id }
          : rack === undefined
            ? { site: site ?? "" }
            : { site: site ?? "", rack };
      const made = await client.notices.create.mutate({
        kind,
        target,
        message,
        startsAt: from ?? null,
        endsAt: until ?? null,
        ...(note === undefined ? {} : { note }),
      });
      printer.secret(made, made.ref, "The notice is announced:");
    });
}

interface ChangeOptions {
  readonly from?: Date;
  readonly until?: Date;
  readonly message?: string;
  readonly note?: string;
}

function addChange(notices: Command, surroundings: Surroundings): void {
  notices
    .command("change")
    .description(contract.notices.change.title)
    .argument("<notice>", noticeText)
    .option("--from <time>", "when it begins", readMoment)
    .option("--until <time>", "when it is over", readMoment)
    .option("--message <text>", "the text for tenants")
    .option("--note <text>", "internal note")
    .action(async (notice: string, { from, until, message, note }: ChangeOptions, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const { ref } = await client.notices.change.mutate({
        notice,
        ...(from === undefined ? {} : { startsAt: from }),
        ...(until === undefined ? {} : { endsAt: until }),
        ...(message === undefined ? {} : { message }),
        ...(note === undefined ? {} : { note }),
      });
      printer.say(`${ref} is changed.`);
    });
}

export function addNotices(program: Command, surroundings: Surroundings): void {
  const notices = program
    .command("notices")
    .description(
      "maintenance, retirement and replacement of machines: list, create, change, end, acknowledge",
    );
  addList(notices, surroundings);
  addCreate(notices, surroundings);
  addChange(notices, surroundings);
  notices
    .command("end")
    .description(contract.notices.end.title)
    .argument("<notice>", noticeText)
    .addOption(new Option("--as <how>", "how it ended").choices(noticeEnds).default("done"))
    .action(async (notice: string, { as }: { as: NoticeEnd }, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const { ref } = await client.notices.end.mutate({ notice, as });
      printer.say(`${ref} is ${as}.`);
    });
  notices
    .command("acknowledge")
    .description(contract.notices.acknowledge.title)
    .argument("<notice>", noticeText)
    .action(async (notice: string, _options: object, command: Command) => {
      const { client, printer } = await openShell(command, surroundings);
      const { ref } = await client.notices.acknowledge.mutate({ notice });
      printer.say(`${ref} is acknowledged.`);
    });
}
