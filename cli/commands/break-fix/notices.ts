// `reclaim notices`: maintenance, retirement and replacement that the provider announces (docs/repair.md#notices).
import { contract } from "@/server/contract/contract";
import { noticeEnds, noticeKinds } from "@/server/domain/break-fix/notice";
import type { NoticeRow } from "@/server/surfaces/trpc/types";
import { act, command } from "@/cli/define/command";
import { arg, choice, flag, hostOption, moment, needed, oneOf, opt, usually } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import { csvText } from "@/cli/output/csv";
import type { Column } from "@/cli/output/printer";

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

const notice = arg("<notice>", "reference, such as MN-7K3Q9DX2M1, or id");
const texts = { message: opt("<text>", "the text for tenants"), note: opt("<text>", "internal note") };

export const notices = [
  command("notices list", {
    title: contract.notices.list.title,
    uses: ["notices.list"],
    shape: contract.notices.list.output,
    alias: "ls",
    options: {
      status: usually(choice("<which>", "which", ["open", "ended", "all"]), "open"),
      host: hostOption("notices that affect this host; for provider users"),
      csv: flag("as CSV, with all columns"),
    },
    run: async ({ client, printer }, { status, host, csv }) => {
      const asked = { status, allInstances: csv, ...(host === undefined ? {} : { hostId: host.id }) };
      const rows: NoticeRow[] = [];
      let page: readonly NoticeRow[];
      do {
        page = await client.notices.list.query({ ...asked, after: rows.at(-1)?.id, limit: perPage });
        rows.push(...page);
      } while (page.length === perPage);
      if (csv === true) return printer.text(csvText(rows, columns));
      printer.list(rows, columns, "No notices.");
    },
  }),
  act("notices create", {
    of: "notices.create",
    args: { kind: oneOf("<kind>", noticeKinds, `A notice is one of: ${noticeKinds.join(", ")}.`) },
    options: {
      host: hostOption("for one host"),
      site: opt("<name>", "for all hosts of a site"),
      rack: opt("<name>", "for the hosts of this rack, with --site"),
      from: moment("when it starts; default: now"),
      until: moment("when it is over"),
      message: needed(texts.message),
      note: texts.note,
    },
    input: ({ kind, host, site, rack, from, until, message, note }) => {
      if ((host === undefined) === (site === undefined) || (rack !== undefined && site === undefined))
        throw new CommandError("usage", "Name --host, or --site, or --site and --rack.");
      const target =
        host !== undefined
          ? { hostId: host.id }
          : rack === undefined
            ? { site: site ?? "" }
            : { site: site ?? "", rack };
      return { kind, target, message, startsAt: from ?? null, endsAt: until ?? null, note };
    },
    secret: ({ ref }) => [ref, "The notice is announced:"],
    examples: [
      "notices create maintenance --site dfw --rack A02 --from 2026-12-01T08:00 --message 'New power feed'",
    ],
  }),
  act("notices change", {
    of: "notices.change",
    args: { notice },
    options: { from: moment("when it starts"), until: moment("when it is over"), ...texts },
    input: ({ from: startsAt, until: endsAt, ...given }) => ({ ...given, startsAt, endsAt }),
    said: (_, { ref }) => `${ref} is changed.`,
  }),
  act("notices end", {
    of: "notices.end",
    args: { notice },
    options: { as: usually(choice("<how>", "how it ended", noticeEnds), "done") },
    said: ({ as }, { ref }) => `${ref} is ${as}.`,
  }),
  act("notices acknowledge", {
    of: "notices.acknowledge",
    args: { notice },
    said: (_, { ref }) => `${ref} is acknowledged.`,
  }),
];
