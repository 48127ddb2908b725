// The output of `reclaim hosts show`, fact by fact.
import { watchText } from "@/server/domain/hosts/ready-watch/reading";
import { replaceDriveAct } from "@/server/domain/hosts/advice/replace-drive";
import { hostActions } from "@/server/domain/hosts/host-actions";
import type { HostAction, HostDetail } from "@/server/surfaces/trpc/types";
import { durationText } from "@/cli/output/text";
import { formatCounted } from "@/server/domain/numbers";
import { standingFact } from "@/cli/output/standing";
import type { Part, Printer } from "@/cli/output/printer";

type Facts = Extract<Part, { readonly facts: unknown }>["facts"];

/** Other hosts that failed for the same cause, and how to list them. */
function alikeText({ failure }: HostDetail): string | null {
  const alike = failure?.alike ?? null;
  if (alike === null || alike.hosts === 0) return null;
  return `${formatCounted(alike.hosts, "other host")} with ${alike.model} (reclaim hosts list ${alike.filter})`;
}

/** What to do first by what was tried, and its command. */
function advisedText({ name, advised, replaceDrive }: HostDetail): string | null {
  if (advised == null) return null;
  if (advised === "replaceDrive")
    return replaceDrive == null ? null : `${replaceDriveAct.words} (${replaceDrive.command})`;
  const { words, command } = hostActions[advised];
  return `${words} (reclaim ${command} ${name})`;
}

/** Its state, and what comes next. */
function stateFacts(host: HostDetail, printer: Printer): Facts {
  return [
    ["name", host.name],
    ["id", host.id],
    ["state", { text: `${host.state} (${host.label})`, tone: host.tone }],
    ["standing", standingFact(host.standing)],
    [
      "since",
      `${printer.timeAndAge(host.since)}${host.limitMs === null || host.limitMs === 0 ? "" : `, ${host.overLimit ? `${printer.age(new Date(host.since.getTime() + host.limitMs))} over its limit of ` : "limit "}${durationText(host.limitMs)}`}`,
    ],
    [
      "overdue",
      host.overdueMs === null
        ? null
        : { text: `by ${durationText(host.overdueMs)}, of the whole reclamation`, tone: "attention" },
    ],
    ["says", host.says],
    ["waits for", host.waitsFor],
    ["check next", host.checkNext],
    ["do first", advisedText(host)],
    ["the same on", alikeText(host)],
    [
      "then",
      host.next.length === 0
        ? null
        : host.next
            .map(({ words, command }) => (command === null ? words : `${words} (${command})`))
            .join(", "),
    ],
  ];
}

/** What people requested of it. */
function asked(host: HostDetail, printer: Printer): Facts {
  const { asked } = host;
  return [
    ["step", host.step === null ? null : `${host.step}${host.percent === null ? "" : `, ${host.percent} %`}`],
    [
      "hold",
      asked.hold === null
        ? null
        : `${asked.hold.byName}: ${asked.hold.reason}${asked.hold.since === null ? " (before the next step)" : ""}${asked.hold.until === null ? "" : `, until ${printer.time(asked.hold.until)}`}`,
    ],
    ["abort", asked.abort === null ? null : `requested by ${asked.abort.byName}`],
    [
      "declared untouched",
      host.untouched === null ? null : `${host.untouched.reason} (${host.untouched.byName})`,
    ],
    [
      "maintenance",
      host.maintenance === null
        ? null
        : {
            text:
              host.maintenance.by === "failure"
                ? "set by the failure; retry, restart or manage ends it"
                : `${host.maintenance.reason ?? "no reason given"} (${host.maintenance.by ?? "unknown"})`,
            tone: "attention",
          },
    ],
    ["allocatable", host.allocatable ? "yes" : "no"],
    [
      "watched",
      host.readyWatch == null
        ? null
        : `${watchText(host.readyWatch)}${host.readyWatch.readAt === null ? "" : `; last read ${printer.timeAndAge(host.readyWatch.readAt)}`}`,
    ],
    [
      "not compared",
      host.readyWatch?.failing == null
        ? null
        : {
            text: `since ${printer.timeAndAge(host.readyWatch.failing.since)}: ${host.readyWatch.failing.why}`,
            tone: "attention",
          },
    ],
    ["excepted until", host.exceptedUntil === null ? null : printer.time(host.exceptedUntil)],
  ];
}

/** Its last tenant, and its debt. */
function owed(host: HostDetail, printer: Printer): Facts {
  const { reclamation } = host;
  return [
    [
      "tenant",
      host.instance === null
        ? null
        : `${host.instance.tenantName}, instance ${host.instance.name} (${host.instance.id})${host.instance.releaseRequestedAt === null ? "" : ", released"}`,
    ],
    [
      "debt",
      host.debts.length === 0
        ? null
        : {
            text: host.debts
              .map(
                (debt) =>
                  `${formatCounted(debt.drives, "drive")} since ${printer.time(debt.since)}${debt.tenantName === null ? "" : ` of ${debt.tenantName}`}`,
              )
              .join("; "),
            tone: "attention",
          },
    ],
    [
      "missing drives",
      host.unaccounted.length === 0
        ? null
        : {
            text: host.unaccounted
              .map(({ key, disposition }) =>
                disposition === null ? key : `${key} (${disposition.kind}, ${disposition.signature})`,
              )
              .join(", "),
            tone: "attention",
          },
    ],
    [
      "reclamation",
      reclamation === null
        ? null
        : `${reclamation.number} ${reclamation.kind}, ${reclamation.outcome ?? (reclamation.stoppedAt === null ? "in progress" : `stopped: ${reclamation.stoppedCause ?? ""}`)}`,
    ],
    ["gates", host.counts.gates === 0 ? null : host.counts.gateWords],
  ];
}

/** The machine. */
function machine(host: HostDetail, printer: Printer): Facts {
  return [
    ["model", [host.manufacturer, host.model].filter((part) => part !== null).join(" ")],
    ["serial", host.serial],
    ["place", [host.site, host.rack, host.slot].filter((part) => part !== null).join(", ")],
    ["segment", host.segment],
    ["power domain", host.powerDomain],
    ["sku", host.sku],
    ["traits", host.traits.join(", ")],
    ["bmc", host.bmcAddress],
    ["bmc system", host.bmcSystem],
    ["also at this bmc", host.bmcOthers.join(", ")],
    [
      "power",
      host.powerState === null
        ? null
        : `${host.powerState}${host.powerReadAt === null ? "" : `, read ${printer.age(host.powerReadAt)} ago`}`,
    ],
    [
      "cleaned automatically",
      host.automatedClean === null ? "inherited from its site" : host.automatedClean ? "yes" : "no",
    ],
  ];
}

const hasCommand = (intent: string): intent is keyof typeof hostActions => Object.hasOwn(hostActions, intent);

/** The command for an action. */
const commandOf = ({ intent, words }: HostAction): string =>
  hasCommand(intent) ? hostActions[intent].command : words;

/** Everything known about a host, and what can be done with it now. */
export function hostParts(host: HostDetail, printer: Printer): readonly Part[] {
  const actions = [...host.actions, ...host.cleaningActions];
  const may = actions
    .filter(({ allowed }) => allowed)
    .map((action) => [commandOf(action), action.consequence] as const);
  const mayNot = actions
    .filter(({ allowed }) => !allowed)
    .map((action) => [commandOf(action), action.reason ?? ""] as const);
  const answers = host.failure?.answers ?? [];
  return [
    {
      facts: [
        ...stateFacts(host, printer),
        ...asked(host, printer),
        ...owed(host, printer),
        ...machine(host, printer),
      ],
    },
    ...(answers.length === 0
      ? []
      : [
          {
            title: "What the machines answered",
            facts: answers.map(({ of, text }) => [of, text] as const),
          },
        ]),
    ...(may.length === 0 ? [] : [{ title: "You may", facts: may }]),
    ...(mayNot.length === 0 ? [] : [{ title: "Not possible now", facts: mayNot }]),
  ];
}
