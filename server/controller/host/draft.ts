// A decision in the making: a copy of the view that handlers change through the few verbs below.
import { drivesAreHeard } from "@/server/domain/agents/protocol";
import type { Command } from "@/server/domain/agents/protocol";
import type { Policy } from "@/server/domain/cleaning/policy";
import { eraseProtectedUntilMs } from "@/server/domain/cleaning/erase-time";
import { clockIn } from "@/server/domain/cleaning/clocks";
import { interruptionFacts } from "@/server/domain/cleaning/interruptions";
import type { InterruptionFacts } from "@/server/domain/cleaning/interruptions";
import type { GateResult } from "@/server/domain/gates/evaluate";
import type { RunContext } from "@/server/domain/lifecycle/context";
import { isFake } from "@/server/domain/hosts/fake-hardware";
import { emptyCleaning, emptyProven } from "@/server/domain/lifecycle/context";
import { refusal } from "@/server/domain/lifecycle/intents";
import type { IntentActor, IntentKind, Signal, SignalKind } from "@/server/domain/lifecycle/signals";
import { causeOf, isFailed } from "@/server/domain/lifecycle/states";
import type { FailureCause, State } from "@/server/domain/lifecycle/states";
import type {
  AttemptWrite,
  Decision,
  EffectRequest,
  HostPatch,
  StoragePatch,
} from "@/server/controller/host/decision";
import { noProgress } from "@/server/domain/host-record/reclamation";
import type { EffectKind, EffectView } from "@/server/domain/host-record/effect";
import type { InstanceView } from "@/server/domain/host-record/host";
import type {
  AttemptView,
  Outcome,
  ReclamationKind,
  ReclamationView,
  StepView,
} from "@/server/domain/host-record/reclamation";
import type { HostView } from "@/server/domain/host-record/view";

/** What a handler returns: stay and wait (until `untilMs` or a signal), or go on to another state at once. */
export type Step =
  | { readonly kind: "wait"; readonly reason: string; readonly untilMs: number | null }
  | { readonly kind: "goto"; readonly state: State; readonly reason: string }
  | {
      readonly kind: "fail";
      readonly cause: FailureCause;
      readonly message: string;
      readonly stepRunning: boolean;
    };

export const wait = (reason: string, untilMs: number | null): Step => ({ kind: "wait", reason, untilMs });
export const goto = (state: State, reason: string): Step => ({ kind: "goto", state, reason });
export const fail = (cause: FailureCause, message: string, stepRunning = false): Step => ({
  kind: "fail",
  cause,
  message,
  stepRunning,
});

/** The earliest of some times, nulls left out. */
export function earliest(...times: readonly (number | null)[]): number | null {
  const known = times.filter((time): time is number => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** After these the BMC is called for a person who may have put its account right. */
const mayMeanCredential: ReadonlySet<IntentKind> = new Set([
  "manage",
  "provide",
  "retry",
  "restart",
  "inspect",
  "powerOn",
  "powerOff",
  "reboot",
]);

type Payloads = { [S in Signal as S["kind"]]: S["payload"] };
export type PayloadOf<K extends SignalKind> = Payloads[K];

const requestIdOf = (payload: Signal["payload"]): string => ("by" in payload ? payload.by.requestId : "");

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export class Draft {
  state: State;
  context: Mutable<RunContext>;
  bootEpoch: number;
  erasing: boolean;
  allocatable: boolean;
  touched: boolean;
  lastError: string | null;
  maintenance: boolean;
  maintenanceBy: "failure" | "person" | null;
  maintenanceReason: string | null;
  reclamation: Mutable<ReclamationView> | null;
  steps: Mutable<StepView>[];
  attempt: Mutable<AttemptView> | null;
  instance: InstanceView | null;
  resourcesHeld: number;
  debts: number;
  /** `undefined`: as it was. */
  command: Command | null | undefined = undefined;
  /** Of a step of the controller; `undefined`: as it was. */
  cleanProgress: Decision["run"]["cleanProgress"] = undefined;
  enteredMs: number;

  readonly entered: { state: State; reason: string }[] = [];
  readonly effects: EffectRequest[] = [];
  readonly attempts: AttemptWrite[] = [];
  readonly deviceResults: Decision["deviceResults"][number][] = [];
  readonly verdicts = new Map<
    string,
    { serial: string; model: string; verdict: "sanitized" | "failed"; reason: string }
  >();
  readonly instanceHistory: { instanceId: string; status: string; message: string }[] = [];
  readonly refused: { intent: string; reason: string; requestId: string }[] = [];
  readonly dirtySteps = new Set<string>();
  /** Of a list that another one replaced in this very decision, those that had changed. */
  readonly replacedSteps: StepView[] = [];
  /** Signals that this decision does not consume. */
  readonly left = new Set<string>();
  gates: readonly GateResult[] = [];
  host: HostPatch | null = null;
  storage: StoragePatch | null = null;
  newDebt: Decision["newDebt"] = null;
  clearDebts: string | null = null;
  endInstance: string | null = null;
  instanceReady: string | null = null;
  bootWindowMs: number | null = null;
  bootProven = false;
  deleteHost = false;
  eraseLeftUntilMs: number | null = null;
  expectEvidenceSeq: string | null = null;
  reclamationIsNew = false;
  reclamationDirty = false;
  outcome: Outcome | null = null;
  endedBefore: Decision["endedBefore"] = null;
  readonly #unread: EffectView[];
  readonly #signals: { id: string; signal: Signal }[];

  readonly #newId: () => string;

  constructor(
    readonly view: HostView,
    newId: () => string,
  ) {
    this.#newId = newId;

    const run = view.run;
    this.state = run.state;
    // Handlers change members of these three; what is deeper they replace.
    this.context = {
      ...run.context,
      proven: { ...run.context.proven },
      cleaning: { ...run.context.cleaning },
    };
    this.bootEpoch = run.bootEpoch;
    this.erasing = run.erasing;
    this.allocatable = run.allocatable;
    this.touched = run.touched;
    this.lastError = run.lastError;
    this.maintenance = run.maintenance;
    this.maintenanceBy = run.maintenanceBy;
    this.maintenanceReason = run.maintenanceReason;
    this.reclamation = view.reclamation === null ? null : { ...view.reclamation };
    this.steps = view.steps.map((step) => ({ ...step }));
    this.attempt = view.attempt === null ? null : { ...view.attempt };
    this.instance = view.instance;
    this.resourcesHeld = view.resourcesHeld;
    this.debts = view.debts.count;
    this.enteredMs = run.stateSinceMs;
    this.#unread = [...view.effects];
    this.#signals = [...view.signals];
    for (const verdict of view.deviceVerdicts)
      this.verdicts.set(`${verdict.serial}\u0000${verdict.model}`, { ...verdict });
  }

  get nowMs(): number {
    return this.view.nowMs;
  }

  /** No machine stands behind the host: it takes the way of `controller/decide/fake-host.ts`. */
  get fake(): boolean {
    return isFake(this.view.host);
  }

  /** The policy of this reclamation: the copy made when it began, else the site's. */
  get policy(): Policy {
    return this.reclamation?.policy ?? this.view.site.policy;
  }

  id(): string {
    return this.#newId();
  }

  /** Takes the first unread signal of a kind. */
  take<K extends SignalKind>(kind: K): PayloadOf<K> | null {
    const index = this.#signals.findIndex((entry) => entry.signal.kind === kind);
    const found = this.#signals[index];
    if (found === undefined) return null;
    this.#signals.splice(index, 1);
    // Proven by the comparison of kinds above; TypeScript does not correlate the two members of a generic union.
    return found.signal.payload as PayloadOf<K>;
  }

  /** Takes the first unread signal of some intents, in the order in which they came. */
  takeFirst<K extends IntentKind>(kinds: readonly K[]): Extract<Signal, { kind: K }> | null {
    const index = this.#signals.findIndex(({ signal }) => kinds.some((kind) => kind === signal.kind));
    const [found] = index === -1 ? [] : this.#signals.splice(index, 1);
    // Proven by the comparison of kinds above; TypeScript does not correlate the two members of a generic union.
    return found === undefined ? null : (found.signal as Extract<Signal, { kind: K }>);
  }

  /** Takes an intent if its rule accepts it in this state; a refused one is noted and dropped. */
  takeIntent<K extends IntentKind>(kind: K): PayloadOf<K> | null {
    const payload: PayloadOf<K> | null = this.take<K>(kind);
    if (payload === null) return null;
    // `assign` and `release` were checked and recorded by their use case, in the transaction that also wrote the instance.
    const facts = {
      state: this.state,
      instanceOpen: this.instance !== null,
      releaseRequested: false,
      reclamationOpen: this.reclamation !== null,
      allocatable: true,
      cleaning: this.interruptionFacts,
      erasing: this.erasesUntilMs !== null,
      eraseUntilMs: this.erasesUntilMs,
      drivesHeard: this.#drivesHeard,
      retired: this.view.host.retired,
    };
    const reason = refusal(kind, facts);
    if (reason === null) {
      // BMCs lock accounts: nobody but a person of the provider, once for each thing asked, has a refused credential tried again.
      if (mayMeanCredential.has(kind)) this.context.retryCredential = true;
      return payload;
    }
    this.refused.push({ intent: kind, reason, requestId: requestIdOf(payload) });
    return null;
  }

  /** What decides on abort, hold, resume and retry now. */
  get interruptionFacts(): InterruptionFacts | null {
    const agent = this.view.agent;
    return interruptionFacts({
      state: this.state,
      open: this.reclamation !== null,
      running: this.steps.find((step) => step.status === "running") ?? null,
      nowMs: this.nowMs,
      agentSeenMs: agent !== null && agent.bootEpoch === this.bootEpoch ? agent.lastSeenMs : null,
      agentFreshMs: this.policy.times.agentFreshMs,
      erasing: this.erasing,
      cleaning: this.context.cleaning,
    });
  }

  /** Intents left over after the last handler: too late or too early for the state that the host is in, or refused for another reason. */
  refuseRest(reason = `not possible in ${this.state}`): void {
    for (const { signal } of this.#signals) {
      if ("by" in signal.payload)
        this.refused.push({ intent: signal.kind, reason, requestId: signal.payload.by.requestId });
    }
    this.#signals.length = 0;
  }

  /** Leaves what is unread to the next decision; false when nothing is. */
  leaveRest(): boolean {
    for (const { id } of this.#signals.splice(0)) this.left.add(id);
    return this.left.size > 0;
  }

  /** The outcome of the newest unread effect of a kind; earlier ones are read with it. */
  takeEffect(kind: EffectKind): EffectView | null {
    const found = this.#unread.filter((effect) => effect.kind === kind);
    if (found.length === 0) return null;
    for (const effect of found) this.#unread.splice(this.#unread.indexOf(effect), 1);
    return found.at(-1) ?? null;
  }

  /** Whether an effect's outcome was not read by any handler: it stays for the next decision. */
  isUnread(effectId: string): boolean {
    return this.#unread.some((effect) => effect.id === effectId);
  }

  /**
   * Writes an effect down; it is sent after the commit. What a person asked for last tries a refused credential once more.
   * @param quietMs for how long after it is done no decision is needed, because what follows wakes the host
   */
  request(kind: EffectKind, request: Readonly<Record<string, unknown>>, quietMs = 0): void {
    const retried = kind !== "network" && this.context.retryCredential === true;
    // safety: credential: one more attempt, not many
    if (retried) delete this.context.retryCredential;
    this.effects.push({
      id: this.#newId(),
      kind,
      request: retried ? { ...request, retryCredential: true } : request,
      quietMs,
    });
  }

  enter(state: State, reason: string): void {
    this.state = state;
    this.enteredMs = this.nowMs;
    const clock = this.reclamation === null ? null : clockIn(state, this.reclamation, this.nowMs);
    if (clock !== null) this.patchReclamation(clock);
    this.entered.push({ state, reason });
  }

  /** Begins a reclamation with a copy of the site's policy; a stopped one before it ends `abandoned`. */
  beginReclamation(kind: ReclamationKind, by: IntentActor | null, instance: InstanceView | null): void {
    this.#rememberErase();
    if (this.reclamation !== null)
      this.endedBefore = { id: this.reclamation.id, outcome: "abandoned", message: `replaced by ${kind}` };
    this.reclamation = {
      id: this.#newId(),
      kind,
      instanceId: instance?.id ?? null,
      tenantId: instance?.tenantId ?? null,
      requestedBy: by?.personId ?? null,
      requestId: by?.requestId ?? null,
      startedAtMs: this.nowMs,
      queuedAtMs: null,
      admittedAtMs: null,
      limitAtMs: null,
      stoppedAtMs: null,
      stoppedCause: null,
      stoppedIn: null,
      message: null,
      policyVersion: this.view.site.policyVersion,
      policyKey: this.view.site.policyKey,
      policy: this.view.site.policy,
      devices: null,
      content: null,
      planMade: false,
      planEpoch: 0,
      plan: null,
      runbookId: null,
      runbookName: null,
      bulkId: null,
      pausedMs: 0,
      pausedAtMs: null,
    };
    this.reclamationIsNew = true;
    this.reclamationDirty = true;
    this.outcome = null;
    this.steps = [];
    this.attempt = null;
    this.verdicts.clear();
    this.context = {
      ...this.context,
      /* safety: by hand: what it proved counts for no later gate */ proven: emptyProven(),
      cleaning: emptyCleaning(),
      returnTo: null,
      failedIn: null,
    };
  }

  patchReclamation(patch: Partial<ReclamationView>): void {
    if (this.reclamation === null)
      throw new Error(`host ${this.view.run.hostId} has no reclamation in ${this.state}`);
    Object.assign(this.reclamation, patch);
    this.reclamationDirty = true;
  }

  /**
   * Until when an erase may still run that nobody hears of any more: the devices' own estimate, else the step's deadline,
   * and what an ended reclamation left behind.
   */
  get eraseMayRunUntilMs(): number | null {
    if (!this.erasing) return null;
    const running = this.steps.find(
      (step) => step.status === "running" || step.id === this.attempt?.stepRunId,
    );
    const { times, sanitization } = this.policy;
    return eraseProtectedUntilMs({
      deadlineAtMs: running?.deadlineAtMs ?? null,
      ...(this.attempt?.progress ?? noProgress),
      mostMs: times.eraseStepMs,
      noProgressMs: sanitization.erase.noProgressTimeoutMs,
      leftUntilMs: this.context.eraseUntil === null ? null : Date.parse(this.context.eraseUntil),
      stateSinceMs: this.view.run.stateSinceMs,
    });
  }

  /** Until when no power action may fall into an erase; null: none may be running. */
  get erasesUntilMs(): number | null {
    const untilMs = this.eraseMayRunUntilMs;
    return untilMs !== null && untilMs > this.nowMs ? untilMs : null;
  }

  /** Whether somebody can say what the drives do. */
  get #drivesHeard(): boolean {
    const { agent } = this.view;
    return drivesAreHeard({
      nowMs: this.nowMs,
      agent:
        agent === null || agent.bootEpoch !== this.bootEpoch
          ? null
          : { version: agent.agentVersion, seenMs: agent.lastSeenMs },
      reportedAtMs: this.attempt?.progress.reportedAtMs ?? null,
      agentFreshMs: this.policy.times.agentFreshMs,
    });
  }

  /** Whether an erase of a reclamation that has ended may still run: no step of a later one takes that away. */
  get eraseLeft(): boolean {
    return (
      this.erasing && this.context.eraseUntil !== null && Date.parse(this.context.eraseUntil) > this.nowMs
    );
  }

  /**
   * The same for a host that is deleted. Its agent is not told and may begin on another device until its next report is refused,
   * so a step that runs counts with its whole time limit. Null where nothing can be erasing any more.
   */
  get eraseAfterDeletionUntilMs(): number | null {
    const running = this.steps.find((step) => step.status === "running");
    const untilMs = !this.erasing
      ? null
      : Math.max(
          this.eraseMayRunUntilMs ?? 0,
          /* safety: deletion: a step that runs counts with its time limit */ running?.deadlineAtMs ?? 0,
        );
    return untilMs === null || untilMs <= this.nowMs ? null : untilMs;
  }

  /** An erase goes on whatever becomes of its reclamation: how long is remembered. */
  endReclamation(outcome: Outcome, message: string | null): void {
    if (this.reclamation === null) return;
    this.#rememberErase();
    this.patchReclamation(message === null ? {} : { message });
    this.outcome = outcome;
  }

  #rememberErase(): void {
    const untilMs = this.eraseMayRunUntilMs;
    // safety: boot: an erase outlives its reclamation
    if (untilMs !== null) this.context = { ...this.context, eraseUntil: new Date(untilMs).toISOString() };
  }

  /** Another list of steps takes the place of the present one; an erase that one of those left running is remembered. */
  replaceSteps(steps: readonly StepView[]): void {
    this.#rememberErase();
    this.attempt = null;
    this.replacedSteps.push(...this.steps.filter(({ id }) => this.dirtySteps.has(id)));
    this.steps = steps.map((step) => ({ ...step }));
    for (const { id } of steps) this.dirtySteps.add(id);
  }

  patchStep(step: Mutable<StepView>, patch: Partial<StepView>): void {
    Object.assign(step, patch);
    this.dirtySteps.add(step.id);
  }

  /** Stops in `Failed/<cause>`. Never touches power. Maintenance is set when a step was running. */
  stop(cause: FailureCause, message: string, stepRunning: boolean): void {
    // A host that fails once more while it is failed still goes on from where it failed first.
    const failedIn = isFailed(this.state) ? this.context.failedIn : this.state;
    this.context = {
      ...this.context,
      failedIn,
      boot: null,
      cleaning: { ...this.context.cleaning, hold: null, abort: null, afterQueue: null, waitsForPlace: false },
    };
    if (this.reclamation !== null)
      this.patchReclamation({
        stoppedAtMs: this.nowMs,
        stoppedCause: cause,
        stoppedIn: this.reclamation.stoppedIn ?? this.state,
        message,
      });
    this.lastError = message;
    this.command = null;
    if (stepRunning && !this.maintenance) {
      this.maintenance = true;
      this.maintenanceBy = "failure";
      this.maintenanceReason = message.slice(0, 500);
    }
    this.allocatable = false;
    this.enter(`Failed/${cause}`, message);
  }

  /** What follows the acceptance of retry, restart or manage: maintenance that a failure set is over; a person's stays. */
  clearFailure(): void {
    if (this.maintenanceBy === "failure") {
      this.maintenance = false;
      this.maintenanceBy = null;
      this.maintenanceReason = null;
    }
    if (this.reclamation !== null)
      this.patchReclamation({ stoppedAtMs: null, stoppedCause: null, stoppedIn: null, message: null });
    this.context = { ...this.context, failedIn: null, returnTo: null, boot: null };
    delete this.context.inspection;
    delete this.context.contestedBoots;
    this.lastError = null;
  }

  get failedCause(): FailureCause | null {
    return isFailed(this.state) ? causeOf(this.state) : null;
  }
}
