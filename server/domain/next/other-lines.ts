// Groups of what is no state of hosts: security events, brakes, decisions, repairs, notices, and what ends soon.
import { securityEventKinds, findSecurityEventKind } from "@/server/domain/access/security-events/kinds";
import type { ApprovalKind } from "@/server/domain/assurance/approvals/approval";
import { formatGroup, formatQuestion } from "@/server/domain/cleaning/queue/brake";
import type { Group as BrakeGroup } from "@/server/domain/cleaning/queue/brake";
import { routes } from "@/server/domain/console/routes";
import { form, gain } from "@/server/domain/next/counted";
import { formatCounted } from "@/server/domain/numbers";
import { nextKey } from "@/server/domain/next/group";
import type { NextGroup } from "@/server/domain/next/group";

export interface SecurityFact {
  /** May be one of another release. */
  readonly event: string;
  readonly events: number;
  /** Names of the hosts, at most two. */
  readonly hosts: readonly string[];
  /** At most two. */
  readonly addresses: readonly string[];
  readonly since: Date;
}

/** Events of one kind that nobody has acknowledged. Pure. */
export function securityGroup({ event, events, hosts, addresses, since }: SecurityFact): NextGroup {
  const kind = findSecurityEventKind(event);
  const row = kind === null ? null : securityEventKinds[kind];
  const title = row?.title ?? event;
  const of = hosts.length === 1 && hosts[0] !== undefined ? `: ${hosts[0]}` : "";
  const from = addresses.length === 1 && addresses[0] !== undefined ? ` It came from ${addresses[0]}.` : "";
  return {
    kind: "security",
    key: nextKey("security", event),
    tone: row === null || row.severity === "high" ? "failed" : "attention",
    title: events === 1 ? `${title}${of}` : `${title}, ${formatCounted(events, "time")}${of}`,
    why: `${row?.sentence ?? "Another release of Reclaim wrote this event."}${from}`,
    next: row?.whatToDo ?? "Read the release notes of that release.",
    size: events,
    hosts: 0,
    tenants: 0,
    effect: formatCounted(events, "event"),
    since,
    due: null,
    act: {
      words: "Review",
      href: routes.security(kind === null ? {} : { kind }),
      command: `security events list${kind === null ? "" : ` --kind ${kind}`}`,
    },
    filter: null,
  };
}

export interface BrakeFact extends BrakeGroup {
  readonly id: string;
  readonly site: string;
  readonly message: string;
  /** SKUs that it would take the last host of; empty: it is on. */
  readonly asks: readonly string[];
  /** How many hosts it holds back. */
  readonly holds: number;
  readonly since: Date;
}

/** A brake that is on, or that asks whether it should be. Pure. */
export function brakeGroup({ id, site, message, asks, holds, since, ...group }: BrakeFact): NextGroup {
  const what = formatGroup(group);
  const isOn = asks.length === 0;
  return {
    kind: "brake",
    key: nextKey("brake", id),
    tone: isOn ? "attention" : "failed",
    title: isOn ? `Brake on ${what}, site ${site}` : `Brake to decide: ${what}, site ${site}`,
    why: isOn
      ? `${message} ${holds === 0 ? "No host waits for it now." : `${formatCounted(holds, "host")} ${form(holds, "waits", "wait")} for it.`}`
      : formatQuestion(message, asks),
    next: isOn
      ? "Find out what the failed hosts have in common and correct it, then lift the brake: the hosts that wait can begin."
      : "Put the brake on, or dismiss it. Until then hosts of the group are cleaned as before.",
    size: Math.max(1, holds),
    hosts: holds,
    tenants: 0,
    effect: holds === 0 ? "no host waits" : gain(holds),
    since,
    due: null,
    act: {
      words: isOn ? "Open the queue" : "Decide",
      href: routes.cleaning.queue(),
      command: "brakes list",
    },
    filter: null,
  };
}

export interface MeasurementFact {
  readonly site: string;
  readonly manufacturer: string;
  readonly model: string;
  /** Of the values. */
  readonly digest: string;
  readonly hosts: number;
  /** Of these, hosts that get no command until a bundle expects them. */
  readonly held: number;
  readonly host: string;
  readonly since: Date;
}

/** Hosts of one hardware that booted the same, which no bundle expects. Pure. */
export function measurementGroup(fact: MeasurementFact): NextGroup {
  const { site, manufacturer, model, digest, hosts, held, host, since } = fact;
  const hardware = [manufacturer, model].filter((part) => part !== "").join(" ");
  return {
    kind: "measurement",
    key: nextKey("measurement", `${site} ${digest} ${hardware}`),
    tone: "waiting",
    title: `${hosts === 1 ? `${host} booted` : `${formatCounted(hosts, "host")} booted`} what no bundle expects`,
    why: `${hardware === "" ? "Hardware that tells no model" : hardware} at ${site}, with the same measurements${hosts === 1 ? "" : `, ${host} among them`}. ${held === 0 ? "The site only observes, so they hold no host." : `${formatCounted(held, "host")} ${form(held, "gets", "get")} no step until they are expected.`}`,
    next: "Compare them with the closest bundle. If this is what should boot, promote them, and have another person approve it; if not, find out what booted.",
    size: hosts,
    hosts: held,
    tenants: 0,
    effect: held === 0 ? formatCounted(hosts, "host") : gain(held),
    since,
    due: null,
    act: { words: "Compare", href: routes.measuredBoot(), command: "attestation pending" },
    filter: null,
  };
}

const decidedIn = (tab: string): string => routes.assurance({ tab });

/** What is asked for, its plural, and where it is decided. */
const asked = {
  signOff: ["procedure to sign off", "procedures to sign off", decidedIn("sign-off")],
  exception: ["exception to decide", "exceptions to decide", decidedIn("exceptions")],
  disposition: ["disposition to sign off", "dispositions to sign off", decidedIn("dispositions")],
  policyChange: ["change of a site to decide", "changes of sites to decide", decidedIn("changes")],
  rollout: ["firmware rollout to approve", "firmware rollouts to approve", routes.firmware()],
  bundle: [
    "bundle of measured boots to approve",
    "bundles of measured boots to approve",
    routes.measuredBoot(),
  ],
} as const satisfies Record<ApprovalKind, readonly [one: string, several: string, href: string]>;

export interface DecisionFact {
  readonly of: ApprovalKind;
  readonly requests: number;
  /** Different hosts. */
  readonly hosts: number;
  /** Of the oldest request: its host, who asked, and why. */
  readonly host: string | null;
  readonly askedBy: string;
  readonly reason: string;
  readonly since: Date;
}

/** Requests of one kind that wait for another person. Pure. */
export function decisionGroup(fact: DecisionFact): NextGroup {
  const { of, requests, hosts, host, askedBy, reason, since } = fact;
  const [one, several, href] = asked[of];
  const where = host === null ? "" : ` for ${host}`;
  return {
    kind: "decision",
    key: nextKey("decision", of),
    tone: "waiting",
    title: formatCounted(requests, one, several),
    why: `${requests === 1 ? askedBy : `The oldest: ${askedBy}`} asked${where}: “${reason}”.`,
    next: "Read the request and what it rests on, then approve or reject it. Nobody decides what they asked for themselves.",
    size: requests,
    hosts: of === "signOff" || of === "exception" || of === "disposition" ? hosts : 0,
    tenants: 0,
    effect: hosts === 0 ? formatCounted(requests, "request") : gain(hosts),
    since,
    due: null,
    act: {
      words: "Decide",
      href,
      command: `approvals list --kind ${of}`,
    },
    filter: null,
  };
}

export interface EndingFact {
  readonly exceptions: number;
  readonly hosts: number;
  /** Of the one that ends first: its host and what it lets through. */
  readonly host: string;
  readonly subject: string;
  /** When the oldest was approved. */
  readonly since: Date;
  readonly due: Date;
}

/** Exceptions that hosts rely on and that end soon. Pure. */
export function endingGroup({ exceptions, hosts, host, subject, since, due }: EndingFact): NextGroup {
  return {
    kind: "ending",
    key: nextKey("ending", "exceptions"),
    tone: "neutral",
    title:
      exceptions === 1
        ? `The exception of ${host} ends`
        : `${formatCounted(exceptions, "exception")} end within 7 days`,
    why: `${exceptions === 1 ? "It lets" : `The first, of ${host}, lets`} ${subject} through. When an exception ends, its host leaves allocation.`,
    next: "Mend what is let through, such as a drive, and clean the host again; or ask for a new exception before the end.",
    size: exceptions,
    hosts,
    tenants: 0,
    effect: `−${formatCounted(hosts, "host")}`,
    since,
    due,
    act: {
      words: "Open the calendar",
      href: routes.assurance({ tab: "calendar" }),
      command: "approvals ending",
    },
    filter: null,
  };
}
