// What a host is doing, in the words of its page: for how long, what it waits for, and what to check next.
import { z } from "zod";
import { overdueMs } from "@/server/domain/cleaning/clocks";
import { readyWords } from "@/server/domain/assurance/standing";
import type { Standing } from "@/server/domain/assurance/standing";
import { gateNames, laterGates, statusAsOfNow } from "@/server/domain/reclamations/gates/gate-names";
import { gateTally } from "@/server/domain/reclamations/gates/tally";
import { hostGroup } from "@/server/domain/hosts/host-groups";
import { acts, actingText, readActing } from "@/server/domain/repair/health/acting";
import {
  isReadyInMaintenance,
  readyInMaintenance,
  readyUnderAlert,
} from "@/server/domain/hosts/in-maintenance";
import { eraseWaitAdvice, waitsForErase } from "@/server/domain/hosts/advice/erase-advice";
import { momentText } from "@/server/domain/lifecycle/moment-text";
import { nextSteps } from "@/server/domain/hosts/next-steps";
import { isStopped } from "@/server/domain/lifecycle/intents";
import { describeState } from "@/server/domain/lifecycle/state-table";
import { isFailed, isState } from "@/server/domain/lifecycle/states";
import type { StoredState } from "@/server/domain/lifecycle/states";
import type { HostDetail } from "@/server/contract/hosts/hosts-answers";

export interface SituationFacts {
  /** Name of the host. */
  readonly name: string;
  readonly state: StoredState;
  readonly run: {
    readonly stateSince: Date;
    readonly limitAt: Date | null;
    readonly lastError: string | null;
    readonly waitReason: string | null;
    readonly cleanMessage: string | null;
    readonly cleanStep: string | null;
    readonly cleanPercent: number | null;
    readonly allocatable: boolean;
    readonly maintenance: boolean;
    readonly maintenanceReason: string | null;
    readonly maintenanceBy: string | null;
    /** The acting part of its health reports, as stored. */
    readonly health: unknown;
  };
  /** The reclamation in progress. */
  readonly open: { readonly limitAt: Date | null; readonly pausedAt: Date | null } | null;
  /** An abort is pending. */
  readonly isAborting: boolean;
  /** What is proven of the host. */
  readonly standing: Standing;
  /** Until when an erase may be running that no agent reports; null: none may. */
  readonly eraseUntilMs: number | null;
  readonly now: Date;
}

type Situation = Pick<
  HostDetail,
  | "state"
  | "tone"
  | "label"
  | "live"
  | "since"
  | "limitMs"
  | "overLimit"
  | "overdueMs"
  | "says"
  | "waitsFor"
  | "checkNext"
  | "next"
  | "step"
  | "percent"
  | "allocatable"
  | "maintenance"
>;

/** Pure. */
export function situationOf(facts: SituationFacts): Situation {
  const { state, run } = facts;
  const { tone, label } = describeState(state);
  const waits = isReadyInMaintenance(state, run.maintenance)
    ? readyInMaintenance
    : state === "Ready" && alertOf(run) !== null
      ? readyUnderAlert
      : state === "Ready"
        ? readyWords[facts.standing]
        : describeState(state);
  return {
    state,
    tone,
    label,
    live: tone === "working",
    since: run.stateSince,
    ...limitsOf(facts),
    says: sentenceOf(facts),
    waitsFor: waits.waitsFor,
    checkNext:
      facts.eraseUntilMs !== null && waitsForErase(state)
        ? eraseWaitAdvice(momentText(facts.eraseUntilMs))
        : waits.checkNext === "Nothing"
          ? null
          : waits.checkNext,
    next: nextSteps(state, facts.name),
    step: run.cleanStep,
    percent: run.cleanPercent,
    allocatable: run.allocatable && isState(state),
    maintenance: run.maintenance ? { reason: run.maintenanceReason, by: run.maintenanceBy } : null,
  };
}

/** The alert that keeps the host out of allocation, in words; null if there is none. */
function alertOf({ health }: SituationFacts["run"]): string | null {
  const acting = readActing(health);
  return acts(acting, "PreventAllocations") ? actingText(acting, "PreventAllocations") : null;
}

function limitsOf({
  state,
  run: { stateSince, limitAt, health },
  open,
  now,
}: SituationFacts): Pick<Situation, "limitMs" | "overLimit" | "overdueMs"> {
  const clock = open && {
    limitAtMs: open.limitAt?.getTime() ?? null,
    pausedAtMs: open.pausedAt?.getTime() ?? null,
  };
  return {
    limitMs: limitAt === null ? null : Math.max(0, limitAt.getTime() - stateSince.getTime()),
    overLimit: hostGroup(state, limitAt !== null && limitAt < now) === "overLimit",
    overdueMs:
      clock === null || acts(readActing(health), "ExcludeFromStateMachineSla")
        ? null
        : overdueMs(clock, now.getTime()),
  };
}

/** The error if the state is about one, else the step's message, the reason for waiting, or the label of the state. */
function sentenceOf({ state, run, isAborting }: SituationFacts): string {
  const { tone, label } = describeState(state);
  const error = isFailed(state) || tone === "neutral" ? run.lastError : null;
  const step = isAborting ? null : run.cleanMessage;
  const alert = state === "Ready" ? alertOf(run) : null;
  if (error === null && step === null && alert !== null)
    return `${label}; kept out of allocation by alert ${alert}`;
  return error ?? step ?? run.waitReason ?? label;
}

/** A statement from before the last reclamation is no longer valid. Pure. */
export const untouchedOf = (
  statement: { readonly personName: string; readonly reason: string; readonly at: Date } | null,
  latest: { readonly startedAt: Date } | null,
): HostDetail["untouched"] =>
  statement === null || (latest !== null && latest.startedAt > statement.at)
    ? null
    : { byName: statement.personName, reason: statement.reason, at: statement.at };

/** How many gates are satisfied, of those that apply. One that was not evaluated applies, unless the release had it not yet. Pure. */
export function countGates(
  gates: readonly { readonly gate: string; readonly status: string; readonly reason: string }[],
): Pick<HostDetail["counts"], "gatesHold" | "gates" | "gateWords"> {
  const known = gates.map(({ status, reason }) => statusAsOfNow(status, reason) ?? "open");
  const left = gateNames.filter((name) => gates.every(({ gate }) => gate !== name));
  const open = left.every((name) => laterGates.has(name)) ? [] : left.map(() => "open" as const);
  const { satisfied, applying, words } = gateTally([...known, ...open]);
  return { gatesHold: satisfied, gates: applying, gateWords: words };
}

const inspected = z.object({
  inspection: z.object({
    askedAt: z.coerce.date(),
    readAt: z.coerce.date().nullable(),
    message: z.string().nullable(),
  }),
});

/** The inventory that a person asked for, as long as the host stays in the state where it was asked for. Pure. */
export const inspectionOf = (state: StoredState, context: unknown): HostDetail["inspection"] =>
  isStopped(state) ? (inspected.safeParse(context).data?.inspection ?? null) : null;
