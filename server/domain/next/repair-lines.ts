// Groups about repairs, webhooks and notices: what repairers and tenants have to do with.
import { routes } from "@/server/domain/console/routes";
import { form, gain } from "@/server/domain/next/counted";
import { formatCounted } from "@/server/domain/numbers";
import { nextKey } from "@/server/domain/next/group";
import type { NextGroup } from "@/server/domain/next/group";

export interface RepairFact {
  readonly hosts: number;
  /** Of the one that has waited longest. */
  readonly host: string;
  readonly since: Date;
  /** Whether the reader can claim them; otherwise somebody else can. */
  readonly own: boolean;
}

/** Hosts that can be claimed for a repair. Pure. */
export function repairGroup({ hosts, host, since, own }: RepairFact): NextGroup {
  return {
    kind: "repair",
    key: nextKey("repair", "queue"),
    tone: "waiting",
    title: own
      ? `${formatCounted(hosts, "host")} to repair`
      : `${formatCounted(hosts, "clean host")} ${form(hosts, "waits", "wait")} in the repair queue`,
    why: `${own ? "You may claim" : "A repair tenant may claim"} ${hosts === 1 ? host : `them; ${host} has waited longest`}.`,
    next: own
      ? "Claim a host, repair it, record the outcome, and release it."
      : `Ask the repair tenant when it will claim ${form(hosts, "it", "them")}, or give ${form(hosts, "it", "a host")} to a repair system on its Repair tab.`,
    size: hosts,
    hosts,
    tenants: 0,
    effect: gain(hosts),
    since,
    due: null,
    act: { words: own ? "Claim" : "Open repairs", href: routes.repair(), command: "repair queue" },
    filter: null,
  };
}

export interface LeaseFact {
  readonly hosts: number;
  /** Name of the one that is late for the longest, and the system that has it. */
  readonly host: string;
  readonly system: string;
  readonly since: Date;
}

/** Hosts that repair systems keep for longer than they said. Pure. */
export function leaseGroup({ hosts, host, system, since }: LeaseFact): NextGroup {
  const filter = "owner:overdue";
  return {
    kind: "lease",
    key: nextKey("lease", "overdue"),
    tone: "attention",
    title: `${formatCounted(hosts, "host")} overdue at a repair system`,
    why: `${system} has kept ${host} for longer than it said${hosts === 1 ? "" : "; it is late for the longest"}.`,
    next: "Ask who operates the repair system. A provider admin can end the lease on the host's Repair tab.",
    size: hosts,
    hosts,
    tenants: 0,
    effect: gain(hosts),
    since,
    due: null,
    act: {
      words: hosts === 1 ? "Open the host" : `Show ${formatCounted(hosts, "host")}`,
      href: hosts === 1 ? routes.host(host, { tab: "repair" }) : routes.hosts({ q: filter }),
      command: `hosts list ${filter}`,
    },
    filter,
  };
}

export interface HeldFact {
  readonly hosts: number;
  /** Of the one that is held the longest. */
  readonly host: string;
  readonly since: Date;
}

/** Hosts that the reader has claimed for a repair and not released. Pure. */
export function heldGroup({ hosts, host, since }: HeldFact): NextGroup {
  return {
    kind: "held",
    key: nextKey("held", "own"),
    tone: "working",
    title: `${formatCounted(hosts, "host")} in your hands`,
    why: `You claimed ${hosts === 1 ? host : `them for a repair; you have had ${host} for the longest`}.`,
    next: "Repair the host, record the outcome, and release it: the provider cleans and checks it again.",
    size: hosts,
    hosts,
    tenants: 0,
    effect: gain(hosts),
    since,
    due: null,
    act: { words: "Open repairs", href: routes.repair({ tab: "held" }), command: "repair held" },
    filter: null,
  };
}

export interface WebhookFact {
  readonly webhooks: number;
  /** How many of them are switched off. */
  readonly off: number;
  /** Name of the one that fails for the longest. */
  readonly name: string;
  readonly since: Date;
}

/** Webhooks of the reader that accept nothing. Pure. */
export function webhookGroup({ webhooks, off, name, since }: WebhookFact): NextGroup {
  return {
    kind: "webhook",
    key: nextKey("webhook", "failing"),
    tone: off > 0 ? "failed" : "attention",
    title: `${formatCounted(webhooks, "webhook")} ${form(webhooks, "accepts", "accept")} no events`,
    why:
      off > 0
        ? `${off === webhooks && off === 1 ? name : formatCounted(off, "webhook")} ${form(off, "is", "are")} switched off, and ${form(off, "its", "their")} events wait.`
        : `${webhooks === 1 ? name : `The first, ${name},`} fails: its events are tried again, in order.`,
    next: "Look at the last answer of the receiver and correct it, then resume the webhook; or remove it.",
    size: webhooks,
    hosts: 0,
    tenants: 0,
    effect: formatCounted(webhooks, "webhook"),
    since,
    due: null,
    act: { words: "Open webhooks", href: routes.settings.webhooks(), command: "webhooks list" },
    filter: null,
  };
}

export interface NoticeFact {
  readonly notices: number;
  /** Of the one that starts first. */
  readonly message: string;
  readonly ref: string;
  readonly since: Date;
  readonly startsAt: Date;
}

/** Notices for machines of the reader that they have not acknowledged. Pure. */
export function noticeGroup({ notices, message, ref, since, startsAt }: NoticeFact): NextGroup {
  return {
    kind: "notice",
    key: nextKey("notice", "unacknowledged"),
    tone: "attention",
    title: `${formatCounted(notices, "notice")} to acknowledge`,
    why: `${notices === 1 ? "The provider says" : "The first says"}: “${message}”.`,
    next: "Read what happens to your machines and when, and acknowledge the notice.",
    size: notices,
    hosts: 0,
    tenants: 0,
    effect: formatCounted(notices, "notice"),
    since,
    due: startsAt,
    act: { words: "Read", href: routes.notice(ref), command: "notices list" },
    filter: null,
  };
}
