// The common part of all intents of hosts: check the table against the current state, leave a signal, and let the controller decide.
import { sql } from "kysely";
import type { SqlReader } from "@/server/db/sql";
import { notChangedIn } from "@/server/domain/hosts/boot-settings";
import { hostActions } from "@/server/domain/hosts/host-actions";
import type { CleaningActionName, HostActionName } from "@/server/domain/hosts/host-actions";
import { refusal } from "@/server/domain/lifecycle/intents";
import { bmcIntents, hardPowerIntents } from "@/server/domain/lifecycle/signals";
import type { BmcIntent, Signal } from "@/server/domain/lifecycle/signals";
import type { AuditAction } from "@/server/domain/access/audit-actions";
import type { AuditFacts } from "@/server/db/audit";
import { askOfHost } from "@/server/contract/hosts/host";
import { acted, unchanged, defineTellingAct } from "@/server/usecases/define-act";
import type { Acted, Target } from "@/server/usecases/define-act";
import { readHostFacts } from "@/server/usecases/hosts/host-facts";
import type { HostFacts } from "@/server/usecases/hosts/host-facts";
import { refused, sentence } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

/** Finds the host of an input. Tenants never act on hosts. */
export async function findHost(tx: SqlReader, hostId: string): Promise<Target<HostFacts> | null> {
  const facts = await readHostFacts(tx, sql`r.host_id = ${hostId}::uuid`);
  return facts === null ? null : { id: hostId, belongs: { tenantId: facts.tenantId }, value: facts };
}

/** The signal for a person's intent. */
export type IntentSignal = Extract<
  Signal,
  {
    readonly kind:
      | "manage"
      | "provide"
      | "clean"
      | "retry"
      | "restart"
      | "inspect"
      | "inspectByAgent"
      | "abort"
      | "hold"
      | "resume"
      | "skipEraseWait"
      | "askNetwork"
      | BmcIntent
      | "acceptLeftovers"
      | "decommission"
      | "forceDelete";
  }
>;

interface Asking {
  readonly signal: IntentSignal;
  readonly stateVersion: string | undefined;
  /** A repeated intent has an effect of its own, such as a new expiry for a hold. */
  readonly repeats?: boolean;
  /** For the audit event, in addition to the intent. */
  readonly facts?: AuditFacts;
}

/** Intents that move the host, or switch its power without its operating system. While one is pending, no intent for the BMC is accepted. */
const movers = [
  "manage",
  "provide",
  "clean",
  "retry",
  "restart",
  "resume",
  ...hardPowerIntents,
  "acceptLeftovers",
  "decommission",
  "forceDelete",
] as const satisfies readonly (HostActionName | CleaningActionName)[];
const isOfBmc = (intent: string): boolean => bmcIntents.some((one) => one === intent);
const aheadOf = (intent: string, pending: readonly string[]): (typeof movers)[number] | null =>
  isOfBmc(intent) ? (movers.find((mover) => pending.includes(mover)) ?? null) : null;

/** After an accepted `manage`, the next intent is checked as if the host were Manageable, because the controller reads both in order. */
function afterManage(host: HostFacts): HostFacts {
  const managed =
    host.state !== "Enroll" && host.pending.includes("manage") && refusal("manage", host) === null;
  return managed ? { ...host, state: "Manageable", cleaning: null } : host;
}

/** The refusal if the host is no longer in the state that the person saw; null if it is, or if no state was given. Pure. */
export const movedOn = (
  { state, stateVersion: now }: Pick<HostFacts, "state" | "stateVersion">,
  seen: string | undefined,
): ReturnType<typeof refused> | null =>
  seen === undefined || seen === now
    ? null
    : refused(
        "conflict",
        `The host's state has changed since you loaded the page; it is now in ${state}.`,
        "stateVersion",
      );

/** Checks the table against the current state and leaves the signal. No-op if the same intent is still pending. */
export function ask(
  host: HostFacts,
  { signal, stateVersion, repeats = false, facts = {} }: Asking,
): Outcome<Acted<{ accepted: true }>> {
  const intent = signal.kind;
  if (!repeats && host.pending.includes(intent)) return unchanged({ accepted: true as const });
  const moved = movedOn(host, stateVersion);
  if (moved !== null) return moved;
  const ahead = aheadOf(intent, host.pending);
  if (ahead !== null)
    return refused("conflict", `${hostActions[ahead].words} was requested and has not started yet.`);
  const standing = afterManage(host);
  const reason =
    refusal(intent, standing) ??
    (signal.kind === "setBoot" ? notChangedIn(signal.payload.change, standing.state) : null);
  if (reason !== null) return refused("notAllowedNow", sentence(reason));
  const tell = {
    signals: [{ hostId: host.hostId, ...signal }],
    feed: [{ hostId: host.hostId, tenantId: host.tenantId, what: "intent" }],
  };
  return acted({
    value: { accepted: true as const },
    targetId: host.hostId,
    tenantId: host.tenantId,
    before: { state: host.state },
    after: { intent, ...facts },
    tell,
  });
}

/** Intents without arguments. */
export type PlainIntent =
  | "manage"
  | "provide"
  | "retry"
  | "restart"
  | "inspect"
  | "forceDelete"
  | "abort"
  | "resume"
  | "skipEraseWait"
  | "askNetwork"
  | "inspectByAgent"
  | "powerOn"
  | "powerOff"
  | "reboot";

/** An act for one intent of one host. */
export function defineHostIntent(intent: PlainIntent, action: AuditAction) {
  return defineTellingAct({
    action,
    right: hostActions[intent].right,
    input: askOfHost,
    names: ({ hostId }) => ({ kind: "host", id: hostId }),
    find: ({ tx }, { hostId }) => findHost(tx, hostId),
    run: ({ by }, host, { stateVersion }) =>
      ask(host, { signal: { kind: intent, payload: { by } }, stateVersion }),
  });
}
