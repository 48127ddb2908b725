// `reclaim security events`: list, show, acknowledge.
import { security, type SecurityEventLine } from "@/server/contract/access/security-events";
import {
  securityEventNames,
  severityText,
  type Severity,
} from "@/server/domain/access/security-events/kinds";
import type { Tone } from "@/server/domain/lifecycle/state-rows/state-row";
import { command, list, newest, show } from "@/cli/define/command";
import { arg, choice, flag, needed, opt, since } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import type { Column } from "@/cli/output/printer";

const perPage = 500;

const tones = { high: "failed", medium: "attention", low: "neutral" } as const satisfies Record<
  Severity,
  Tone
>;
const toneOf = ({ severity, acknowledged }: SecurityEventLine): Tone =>
  acknowledged === null ? tones[severity] : "neutral";

const addressOf = ({ address, others }: SecurityEventLine): string =>
  others === "addresses" ? `${address} and others` : address;
const hostOf = ({ hostName, hostId, others }: SecurityEventLine): string | null =>
  others === "hosts" ? "further hosts" : (hostName ?? hostId);

const columns: readonly Column<SecurityEventLine>[] = [
  { name: "last", value: (row) => row.lastAt },
  { name: "event", value: (row) => row.title, tone: toneOf, whole: true },
  { name: "severity", value: (row) => severityText[row.severity] },
  { name: "host", value: hostOf },
  { name: "address", value: addressOf, whole: true },
  { name: "count", value: (row) => row.count },
  { name: "acknowledged", value: (row) => row.acknowledged?.by ?? null },
  { name: "tried", value: (row) => row.tried.join("; "), long: true },
  { name: "id", value: (row) => row.id, whole: true },
  { name: "kind", value: (row) => row.kind, extra: true },
  { name: "site", value: (row) => row.site, extra: true },
  { name: "first", value: (row) => row.firstAt, extra: true },
  { name: "paths", value: (row) => row.paths.join("; "), extra: true },
  { name: "note", value: (row) => row.acknowledged?.note ?? null, extra: true },
];

const kind = choice("<kind>", "only this kind", securityEventNames);

export const securityEvents = [
  list("security events list", {
    of: "security.list",
    options: {
      kind,
      host: opt("<host>", "about this host: name or id"),
      address: opt("<address>", "from this address"),
      all: flag("also acknowledged ones"),
      since: since("seen since then: 2h, 7d or 2026-11-22T08:00"),
      until: since("before then"),
    },
    input: ({ all, ...given }) => ({ ...given, open: all !== true }),
    rows: "rows",
    columns,
    perPage,
    limit: 50,
    none: ({ given: { all } }) => (all === true ? "No security events." : "No open security events."),
    then: (read) => [
      ...newest(read),
      ...(read.rows.some(({ acknowledged }) => acknowledged === null)
        ? ["`reclaim security events show <id>` says what to do about one."]
        : []),
    ],
  }),
  show("security events show", {
    of: "security.get",
    args: { id: arg("<id>", "event id from `security events list`") },
    parts: (event, printer) => [
      {
        facts: [
          ["event", { text: event.title, tone: toneOf(event) }],
          ["severity", severityText[event.severity]],
          ["what happened", event.sentence],
          ["what to do", event.whatToDo],
          ["host", hostOf(event)],
          ["site", event.site],
          ["address", addressOf(event)],
          ["tried", event.tried.join("\n")],
          ["on", event.paths.join("\n")],
          ["count", String(event.count)],
          ["first", printer.timeAndAge(event.firstAt)],
          ["last", printer.timeAndAge(event.lastAt)],
          [
            "acknowledged",
            event.acknowledged === null
              ? "by nobody"
              : `${printer.time(event.acknowledged.at)} by ${event.acknowledged.by}: ${event.acknowledged.note ?? ""}`,
          ],
          ["id", event.id],
        ],
      },
    ],
  }),
  command("security events acknowledge", {
    title: security.acknowledge.title,
    uses: ["security.acknowledge"],
    shape: security.acknowledge.output,
    args: { id: arg("[id...]", "event ids from `security events list`") },
    options: {
      kind: { ...kind, text: "instead: all open events of this kind" },
      host: opt("<host>", "instead: all open events about this host"),
      note: needed(opt("<text>", "what you found out; kept in the audit log")),
    },
    run: async ({ client, printer }, { id: ids, kind: of, host, note }) => {
      const named = of !== undefined || host !== undefined;
      if (ids.length > 0 === named)
        throw new CommandError("usage", "Name events, or all of a --kind or a --host.");
      const asked = named
        ? (await client.security.list.query({ kind: of, host, open: true, limit: perPage })).rows.map(
            ({ id }) => id,
          )
        : ids;
      if (asked.length === 0) throw new CommandError("notFound", "No such event is open.");
      const value = await client.security.acknowledge.mutate({ ids: asked, note });
      printer.show(value, [{ facts: [["acknowledged", String(value.acknowledged)]] }]);
    },
  }),
];
