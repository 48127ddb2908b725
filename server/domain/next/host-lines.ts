// Groups of hosts that do not come back by themselves: failed, silent, over their limit, waiting for a person.
import type { Causes } from "@/server/domain/cleaning/failures/cause";
import { failureFilter, groupOf } from "@/server/domain/cleaning/failures/group";
import { causeLabel, causeText, checkNext, replaceAfter } from "@/server/domain/cleaning/failures/text";
import { routes } from "@/server/domain/console/routes";
import { replaceDriveAct } from "@/server/domain/hosts/advice/replace-drive";
import { patternDigest } from "@/server/domain/hosts/failure-pattern";
import { describeState } from "@/server/domain/lifecycle/state-table";
import type { State, StoredState } from "@/server/domain/lifecycle/states";
import { momentText } from "@/server/domain/lifecycle/moment-text";
import { form, gain } from "@/server/domain/next/counted";
import { formatCounted } from "@/server/domain/numbers";
import { nextKey } from "@/server/domain/next/group";
import type { NextAct, NextGroup } from "@/server/domain/next/group";

/** What is known of hosts that share a cause or a state. */
export interface HostsFact {
  readonly hosts: number;
  /** Tenants that wait for one of them: they have an instance on it, and have not released it. */
  readonly tenants: number;
  /** Of the one that has been so for the longest. */
  readonly since: Date;
  /** Name of that host. */
  readonly host: string;
  /** Racks of the hosts, as far as they are known; at most two are needed. */
  readonly racks: readonly string[];
}

export interface FailureFact extends HostsFact {
  readonly state: StoredState;
  /** Of the newest failure. */
  readonly causes: Causes | null;
  readonly message: string;
  /** Names in the message that must not split a group. */
  readonly names: readonly string[];
  readonly hostModel: string;
  /** How many of the hosts the same drive stopped again since they were last Ready, without an open ticket for it; and how many have one. */
  readonly again: number;
  readonly ticketed: number;
  /** What the page of the host advises, if it is the only one; null: nothing, or there are several. */
  readonly advice: string | null;
}

export interface StateFact extends HostsFact {
  readonly state: StoredState;
}

/** Hosts whose agent has missed a call while it runs a step. Reclaim goes on by itself. */
export interface SilentAgentsFact extends HostsFact {
  /** The step of the first one. */
  readonly step: string;
  /** How many of them may still be erasing, and until when at the latest; null: none. */
  readonly erasing: number;
  readonly eraseUntil: Date | null;
}

/** States in which a host waits for a person, whatever its limit. Those who sign off find it among the decisions, repairers in their queue. */
export const personStates: readonly State[] = [
  "BomValidating/WaitingForSkuAssignment",
  "BomValidating/SkuMissing",
  "BomValidating/SkuVerificationFailed",
  "ReturnToAllocation/AwaitingHealth",
  "ReturnToAllocation/AwaitingProcedure",
];

/** States whose hosts are on the list as something else. */
export const elsewhereStates: readonly State[] = [
  "ReturnToAllocation/AwaitingSignOff",
  "ReturnToAllocation/AwaitingRepair",
];

/** One host is opened itself. */
function showHosts({ hosts, host }: HostsFact, filter: string): NextAct {
  return hosts === 1
    ? { words: "Open the host", href: routes.host(host), command: `hosts show ${host}` }
    : {
        words: `Show ${formatCounted(hosts, "host")}`,
        href: routes.hosts({ q: filter }),
        command: `hosts list ${/\s/.test(filter) ? `'${filter}'` : filter}`,
      };
}

const inOneRack = ({ hosts, racks }: HostsFact): string =>
  hosts > 1 && racks.length === 1 && racks[0] !== undefined ? `, all in rack ${racks[0]}` : "";

/** In the middle of a sentence; a word in capitals stays one. */
const within = (text: string): string =>
  /^[A-Z](?![A-Z])/.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;

const asSentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);

const silentWords = { bmcSilent: ["BMC", "BMCs"], agentSilent: ["agent", "agents"] } as const;
const isSilent = (key: string): key is keyof typeof silentWords => Object.hasOwn(silentWords, key);

function silentTitle(key: keyof typeof silentWords, { hosts, host }: HostsFact): string {
  const [one, several] = silentWords[key];
  return hosts === 1 ? `The ${one} of ${host} is silent` : `${formatCounted(hosts, one, several)} are silent`;
}

/** What was tried on its hosts comes before the usual check. A single host has the advice of its own page, where that was read. */
function triedText({ hosts, again, ticketed, advice, causes }: FailureFact, usual: string): string {
  if (advice !== null) return asSentence(advice);
  const [first] = causes ?? [];
  if (first === undefined || replaceAfter(first.key) === null) return usual;
  return [
    ...(again > 0
      ? [
          `${formatCounted(again, "host")} ${form(again, "was", "were")} stopped again by the same drive: use ${replaceDriveAct.words} on the host's page.`,
        ]
      : []),
    ...(ticketed > 0
      ? [`Tickets ask for the drives of ${formatCounted(ticketed, "host")} to be replaced.`]
      : []),
    ...(again + ticketed < hosts ? [usual] : []),
  ].join(" ");
}

/** A group of failures has the key that it has on the page of failures. The facts of one group are merged before. Pure. */
export function failureGroup(fact: FailureFact): NextGroup {
  const { causes, state, message, hosts, tenants, since, host } = fact;
  const { key: pattern, words, model } = groupOf(fact);
  const key = patternDigest(pattern);
  const filter = failureFilter(key);
  const [first] = causes ?? [];
  const known = causes !== null && first !== undefined && first.key !== "other";
  const label = known ? within(causeLabel(first)) : state.slice("Failed/".length);
  const who = hosts === 1 ? host : formatCounted(hosts, "host");
  const silent = first !== undefined && isSilent(first.key) ? first.key : null;
  return {
    kind: silent === null ? "failure" : "silent",
    key,
    tone: "failed",
    title: silent !== null ? silentTitle(silent, fact) : `${who} failed: ${label}`,
    why:
      hosts === 1
        ? asSentence((known ? causeText(causes) : message).split("\n", 1).join(""))
        : asSentence(`${words}; ${model}${inOneRack(fact)}`),
    next: triedText(fact, asSentence(known ? checkNext(causes, state) : describeState(state).checkNext)),
    size: hosts,
    hosts,
    tenants,
    effect: gain(hosts, tenants),
    since,
    due: null,
    act: showHosts(fact, filter),
    filter,
  };
}

/** Agents that have missed a call are one line, before they count as lost. Pure. */
export function silentAgentsGroup(fact: SilentAgentsFact): NextGroup {
  const { hosts, tenants, since, step, erasing, eraseUntil } = fact;
  const filter = "silent:true";
  const until = eraseUntil === null ? "" : ` until ${momentText(eraseUntil.getTime())} at the latest`;
  return {
    kind: "silent",
    key: nextKey("silent", "agents"),
    tone: "attention",
    title: silentTitle("agentSilent", fact),
    why:
      hosts === 1
        ? `It runs ${step} and has missed a call.${erasing > 0 ? ` An erase may still run${until}.` : ""}`
        : `They run steps and have missed calls.${erasing > 0 ? ` On ${formatCounted(erasing, "of them", "of them")} an erase may still run${until}.` : ""}`,
    next:
      erasing > 0
        ? "Leave the power on. Check the console for a kernel panic, a hang or a missing network; Reclaim boots a new agent, which joins an erase that still runs."
        : "Check the console for a kernel panic, a hang or a missing network, and the link to the boot network. Reclaim boots a new agent by itself.",
    size: hosts,
    hosts,
    tenants,
    effect: gain(hosts, tenants),
    since,
    due: null,
    act: showHosts(fact, filter),
    filter,
  };
}

/** Hosts that wait for a person in a state. Pure. */
export function waitingGroup(fact: StateFact): NextGroup {
  const { label, waitsFor, checkNext: check } = describeState(fact.state);
  return stateGroup("waiting", fact, {
    filter: `state:${fact.state}`,
    title: `${formatCounted(fact.hosts, "host")} ${form(fact.hosts, "waits", "wait")}: ${within(label)}`,
    why: `Waits for ${within(waitsFor)}.`,
    next: asSentence(check),
  });
}

/** Hosts that are in a state for longer than its limit. Pure. */
export function overLimitGroup(fact: StateFact): NextGroup {
  const { label, waitsFor, checkNext: check } = describeState(fact.state);
  return stateGroup("overLimit", fact, {
    filter: `state:${fact.state} sla:over`,
    title: `${formatCounted(fact.hosts, "host")} over the limit of ${within(label)}`,
    why: `Waits for ${within(waitsFor)}.`,
    next: asSentence(check),
  });
}

function stateGroup(
  kind: "waiting" | "overLimit",
  fact: StateFact,
  words: Pick<NextGroup, "title" | "why" | "next"> & { readonly filter: string },
): NextGroup {
  const { hosts, tenants, since, state } = fact;
  return {
    kind,
    key: nextKey(kind, state),
    tone: kind === "waiting" ? "waiting" : "attention",
    size: hosts,
    hosts,
    tenants,
    effect: gain(hosts, tenants),
    since,
    due: null,
    act: showHosts(fact, words.filter),
    ...words,
  };
}
