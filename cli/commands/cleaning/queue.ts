// `reclaim queue`: which hosts wait for admission and why, and each site's limits; `reclaim brakes`: list, show, engage, narrow, lift.
import { InvalidArgumentError } from "commander";
import { contract } from "@/server/contract/contract";
import { list as listOf, record } from "@/server/contract/define";
import type {
  BrakeInvestigation,
  BrakeLine,
  LimitLine,
  QueueHosts,
  QueueLine,
} from "@/server/surfaces/trpc/types";
import { formatGroup, formatLetGo, formatQuestion } from "@/server/domain/cleaning/queue/brake";
import { propertyLabels } from "@/server/domain/cleaning/queue/distinctions";
import { isPart, partDimensions } from "@/server/domain/cleaning/queue/narrowed";
import type { Part as BrakePart } from "@/server/domain/cleaning/queue/narrowed";
import type { Client } from "@/cli/client";
import { act, command, list, show } from "@/cli/define/command";
import { arg, found, needed, parsed, reason } from "@/cli/define/values";
import type { Column, Part } from "@/cli/output/printer";
import { pick } from "@/cli/find";
import { formatCounted, formatList } from "@/server/domain/numbers";

const waiting: readonly Column<QueueLine>[] = [
  {
    name: "place",
    value: (row) => row.place,
    text: (row) => (row.place === null ? (row.braked ? "held" : "") : String(row.place)),
  },
  { name: "host", value: (row) => row.name, whole: true },
  { name: "waits", value: (row) => row.since, text: (row, printer) => printer.age(row.since) },
  { name: "tenant", value: (row) => row.tenant },
  { name: "model", value: (row) => row.model },
  { name: "reason", value: (row) => row.reason, long: true },
];

const limits: readonly Column<LimitLine>[] = [
  { name: "limit", value: (row) => row.words },
  { name: "used", value: (row) => row.used },
  {
    name: "of",
    value: (row) => row.limit,
    text: (row) => (row.limit === null ? "no limit" : String(row.limit)),
  },
];

const brakes: readonly Column<BrakeLine>[] = [
  { name: "site", value: (row) => row.site },
  { name: "what", value: (row) => `${row.dimension} ${row.value}`, whole: true },
  { name: "since", value: (row) => row.engagedAt },
  { name: "holds", value: (row) => row.holds },
  {
    name: "asks",
    value: (row) => row.asks.join(", "),
    text: (row) => (row.asks.length === 0 ? "" : `last of ${row.asks.join(", ")}`),
    tone: (row) => (row.asks.length === 0 || row.liftedAt !== null ? null : "failed"),
  },
  { name: "lifted", value: (row) => row.liftedAt },
  {
    name: "message",
    value: (row) => row.message,
    tone: (row) => (row.liftedAt === null ? "attention" : null),
    long: true,
  },
  { name: "id", value: (row) => row.id, extra: true },
];

/** The server's maximum per page. */
const maxPerPage = 500;

async function waitingAt(client: Client, siteId: string): Promise<readonly QueueLine[]> {
  const hosts: QueueLine[] = [];
  let cursor: string | null = null;
  do {
    const page: QueueHosts = await client.queue.hosts.query({ siteId, cursor, limit: maxPerPage });
    hosts.push(...page.hosts);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return hosts;
}

/** A brake's display name, such as `model R750`. */
const nameOf = ({ dimension, value }: BrakeLine): string => `${dimension} ${value}`;

type Failure = BrakeInvestigation["failures"][number];
type Having = BrakeInvestigation["everywhere"][number];

const havings: readonly Column<Having>[] = [
  { name: "what", value: ({ property }) => propertyLabels[property] },
  { name: "value", value: ({ value }) => value, whole: true },
  { name: "failed", value: ({ failed }) => failed },
  { name: "others", value: ({ others }) => others },
];

const telling: readonly Column<BrakeInvestigation["telling"][number]>[] = [
  ...havings,
  { name: "by chance", value: ({ beyondChance }) => (beyondChance ? "no" : "possible") },
  {
    name: "narrow --to",
    value: ({ part }) => (part === null ? null : `${part.dimension}=${part.value}`),
    long: true,
  },
];

const failures: readonly Column<Failure>[] = [
  { name: "host", value: ({ name, hostId }) => name ?? hostId, whole: true },
  { name: "failed", value: ({ failedAt }) => failedAt },
  { name: "cause", value: ({ cause }) => cause ?? "not on record" },
  { name: "now", value: ({ now }) => now ?? "has left" },
  { name: "reclamation", value: ({ reclamation }) => reclamation },
  { name: "reason", value: ({ reason: why }) => why, long: true },
];

const heldText = ({ isOn, narrowedTo }: BrakeInvestigation): string => {
  if (!isOn) return "nothing: it is not on";
  return narrowedTo === null
    ? "all hosts of its group"
    : `hosts of its group with ${formatList(narrowedTo.map(formatGroup))}, and those of which it is not known`;
};

function readPart(text: string, before: readonly BrakePart[] = []): readonly BrakePart[] {
  const [, dimension = "", value = ""] = /^([^=]+)=(.+)$/.exec(text.trim()) ?? [];
  const one = { dimension, value };
  if (!isPart(one))
    throw new InvalidArgumentError(
      `must be ${partDimensions.map((dimension) => `${dimension}=<value>`).join(" or ")}, as in \`brakes show\`.`,
    );
  return [...before, one];
}

const brake = (text: string, which: (line: BrakeLine) => boolean) =>
  found(arg("<brake>", text), async ({ client }, given) => {
    const lines = (await client.queue.get.query()).brakes.filter(
      (line) => line.liftedAt === null && which(line),
    );
    const named = lines.map((line) => ({ id: line.id, name: nameOf(line), line }));
    return pick("brake", given, named).line;
  });

const queued = contract.queue.get.output.unwrap().shape;
const shape = record({
  ...queued,
  sites: listOf(
    record({
      ...queued.sites.unwrap().element.unwrap().shape,
      hosts: contract.queue.hosts.output.unwrap().shape.hosts,
    }),
  ),
});

export const queue = [
  command("queue", {
    title: contract.queue.get.title,
    uses: ["queue.get", "queue.hosts"],
    shape,
    run: async ({ client, printer }) => {
      const page = await client.queue.get.query();
      const sites = [];
      for (const site of page.sites)
        sites.push({ ...site, hosts: site.waiting === 0 ? [] : await waitingAt(client, site.siteId) });
      const parts: Part[] = sites.flatMap((site): Part[] => [
        {
          title: `Site ${site.site}: ${site.atWork} in progress, ${site.waiting} waiting`,
          table: printer.table(site.limits, limits),
        },
        ...(site.hosts.length === 0 ? [] : [{ table: printer.table(site.hosts, waiting) }]),
      ]);
      for (const site of page.unreadable)
        parts.push({
          title: `Site ${site}`,
          facts: [["not shown", "this version cannot read its policy"]],
        });
      printer.show(
        { ...page, sites },
        page.brakes.length === 0
          ? parts
          : [...parts, { title: "Brakes", table: printer.table(page.brakes, brakes) }],
      );
    },
  }),
];

export const brakeCommands = [
  list("brakes list", {
    of: "queue.get",
    title: "the brakes that are on, and those of the last day",
    rows: "brakes",
    columns: brakes,
    none: "No brake is on.",
  }),
  act("brakes engage", {
    of: "brakes.engage",
    args: {
      brake: brake(
        'a brake that asks: its name in `brakes list`, such as "model R750", or id',
        ({ asks }) => asks.length > 0,
      ),
    },
    input: ({ brake: { id: brakeId } }) => ({ brakeId }),
    asks: ({ brake: line }) => [
      [formatQuestion(line.message, line.asks)],
      `Put the brake on ${nameOf(line)} at site ${line.site}?`,
    ],
    said: ({ brake: line }) => `The brake on ${nameOf(line)} is on.`,
  }),
  show("brakes show", {
    of: "brakes.investigate",
    args: { brake: brake('name in `brakes list`, such as "model R750", or id', () => true) },
    input: ({ brake: { id: brakeId } }) => ({ brakeId }),
    parts: (row, printer) => [
      {
        facts: [
          ["brake", row.message],
          ["site", row.site],
          ["held", heldText(row)],
          [
            "failures",
            row.hosts === 0
              ? "not recorded by the release that put it on"
              : `${formatCounted(row.failures.length + row.moreFailures, "failure")} on ${formatCounted(row.hosts, "host")}`,
          ],
        ],
      },
      { title: "What the failed hosts have and others have not", table: printer.table(row.telling, telling) },
      {
        title: "What nearly all hosts have, which explains nothing",
        table: printer.table(row.everywhere, havings),
      },
      { title: "Failures", table: printer.table(row.failures, failures) },
    ],
  }),
  act("brakes narrow", {
    of: "brakes.narrow",
    args: {
      brake: brake('name in `brakes list`, such as "model R750", or id', ({ asks }) => asks.length === 0),
    },
    options: {
      to: needed(
        parsed<readonly BrakePart[]>(
          "<what>",
          'what the brake is kept on for, as in `brakes show`: "driveFirmware=PM9A3 GDC7302Q"; may be repeated',
          readPart,
        ),
      ),
      reason,
    },
    input: ({ brake: { id: brakeId, engagedAt, narrowedTo }, to, reason: why }) => ({
      brakeId,
      to: [...to],
      seen: { engagedAt, narrowedTo: narrowedTo == null ? null : [...narrowedTo] },
      reason: why,
    }),
    asks: ({ brake: line, to }) => [
      [
        line.message,
        `${formatLetGo(line.narrowedTo ?? null, to)}Hosts with ${formatList(to.map(formatGroup))}, and those of which it is not known, stay held; all others of ${nameOf(line)} begin.`,
      ],
      `Keep the brake on for ${formatList(to.map(formatGroup))} only?`,
    ],
    said: (_, { hosts }) => `Brake narrowed: ${formatCounted(hosts, "waiting host")} checked again.`,
  }),
  act("brakes lift", {
    of: "brakes.lift",
    args: { brake: brake('name in `brakes list`, such as "model R750", or id', () => true) },
    options: { reason },
    input: ({ brake: { id: brakeId }, reason: why }) => ({ brakeId, reason: why }),
    asks: ({ brake: line }) => [
      [line.message, `New cleanings of ${nameOf(line)} resume at site ${line.site}.`],
      `Lift the brake on ${nameOf(line)}?`,
    ],
    said: (_, { hosts }) => `Brake lifted: ${formatCounted(hosts, "host")} can begin.`,
  }),
];
