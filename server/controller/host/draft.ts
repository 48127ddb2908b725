// One decision in the making: what is known of a host, and the verbs by which handlers change it (docs/adr/0039-a-decision-is-made-by-verbs.md).
import { readsPlatformAgain } from "@/server/domain/reclamations/gates/platform";
import { drivesAreHeard } from "@/server/domain/agents/protocol";
import type { Policy } from "@/server/domain/cleaning/policy/policy";
import { readCauses, storable } from "@/server/domain/cleaning/failures/cause";
import type { Cause, Causes } from "@/server/domain/cleaning/failures/cause";
import { firstCause } from "@/server/domain/cleaning/failures/earlier";
import { causeText } from "@/server/domain/cleaning/failures/text";
import { clockIn } from "@/server/domain/cleaning/clocks";
import { interruptionFacts } from "@/server/domain/cleaning/interruptions";
import type { InterruptionFacts } from "@/server/domain/cleaning/interruptions";
import { isFake } from "@/server/domain/hosts/fake/fake-type";
import { emptyCleaning, emptyProven } from "@/server/domain/lifecycle/context";
import { refusal } from "@/server/domain/lifecycle/intents";
import type { IntentActor, IntentKind } from "@/server/domain/lifecycle/signals";
import { causeOf, isFailed } from "@/server/domain/lifecycle/states";
import type { FailureCause, State } from "@/server/domain/lifecycle/states";
import type { EffectRequest } from "@/server/controller/host/decision";
import { Erase } from "@/server/controller/host/erase";
import { learnedUnexpected } from "@/server/domain/hosts/enrolment/expected-identity";
import { Evidence } from "@/server/controller/host/evidence";
import type { Failure } from "@/server/controller/host/handler-result";
import { HardwareChanges } from "@/server/controller/host/hardware-changes";
import type { EffectKind } from "@/server/domain/hosts/record/effect";
import type { InstanceView } from "@/server/domain/hosts/record/host";
import type {
  Outcome,
  ReclamationKind,
  ReclamationView,
  StepView,
} from "@/server/domain/hosts/record/reclamation";
import type { HostView } from "@/server/domain/hosts/record/view";
import { Inbox } from "@/server/controller/host/inbox";
import type { PayloadOf } from "@/server/controller/host/inbox";
import { beginsErase, endsWithRelease, mayMeanCredential } from "@/server/controller/host/intent-kinds";
import { Memory } from "@/server/controller/host/memory";
import type { Remembered } from "@/server/controller/host/memory";
import { newReclamation } from "@/server/controller/host/new-reclamation";
import { ReclamationChanges } from "@/server/controller/host/reclamation-changes";
import { RunChanges } from "@/server/controller/host/run-changes";
import { StepRuns } from "@/server/controller/host/step-runs";
import { Tenancy } from "@/server/controller/host/tenancy";

/** Each part changes its own subject; a change that involves several of them is a verb here. */
export class Draft {
  readonly inbox: Inbox;
  readonly memory: Memory;
  readonly run: RunChanges;
  readonly steps: StepRuns;
  readonly erase: Erase;
  readonly evidence: Evidence;
  readonly tenancy: Tenancy;
  readonly hardware = new HardwareChanges();
  readonly #reclamation: ReclamationChanges;
  readonly #effects: EffectRequest[] = [];
  readonly #newId: () => string;

  constructor(
    readonly view: HostView,
    newId: () => string,
    /** Why the certificate of this reclamation cannot be written; null: it can. */
    readonly certificateFault: string | null = null,
  ) {
    this.#newId = newId;
    this.inbox = new Inbox(view);
    this.memory = new Memory(view.run.context);
    this.run = new RunChanges(view.run);
    this.steps = new StepRuns(view.steps, view.attempt, () => this);
    this.erase = new Erase(view.run.erasing, () => this);
    this.evidence = new Evidence(view.deviceVerdicts);
    this.tenancy = new Tenancy(view);
    this.#reclamation = new ReclamationChanges(view.reclamation);
  }

  get nowMs(): number {
    return this.view.nowMs;
  }
  get state(): State {
    return this.run.kept.state;
  }
  get context(): Remembered {
    return this.memory.context;
  }
  get bootEpoch(): number {
    return this.run.kept.bootEpoch;
  }
  get reclamation(): ReclamationView | null {
    return this.#reclamation.row;
  }
  /** Changes to reclamations, to be written. */
  get reclaimed(): Pick<ReclamationChanges, "endedBefore" | "outcome" | "written"> {
    return this.#reclamation;
  }
  get effects(): readonly EffectRequest[] {
    return this.#effects;
  }
  /** True if the host has no machine; it then uses the handlers of `server/controller/decide/fake-host.ts`. */
  get fake(): boolean {
    return isFake(this.view.host);
  }
  get failedCause(): FailureCause | null {
    return isFailed(this.state) ? causeOf(this.state) : null;
  }
  /** True if the host is being decommissioned; it never becomes Ready in this reclamation (docs/adr/0059-decommission.md). */
  get leaves(): boolean {
    return this.reclamation?.kind === "decommission";
  }
  /** The policy of this reclamation: the copy made when it began, else the site's. */
  get policy(): Policy {
    return this.reclamation?.policy ?? this.view.site.policy;
  }

  id(): string {
    return this.#newId();
  }

  /** Takes an intent if its rule accepts it in this state; a refused one is noted and dropped. */
  takeIntent<K extends IntentKind>(kind: K): PayloadOf<K> | null {
    const payload: PayloadOf<K> | null = this.inbox.take<K>(kind);
    if (payload === null) return null;
    // `assign` and `release` were checked and recorded by their use case, in the transaction that also wrote the instance.
    const untilMs = this.erase.untilMs;
    const refused = refusal(kind, {
      state: this.state,
      instanceOpen: this.tenancy.instance !== null,
      releaseRequested: endsWithRelease.has(kind) && this.tenancy.isReleasing,
      reclamationOpen: this.reclamation !== null,
      allocatable: true,
      cleaning: this.interruptionFacts,
      inspectionFailed: this.context.inspection?.message != null,
      erasing: untilMs !== null,
      eraseUntilMs: untilMs,
      drivesHeard: this.#drivesHeard,
      retired: this.view.host.retired,
      // Checked when it was requested: the claim does not read it.
      protected: false,
      // Likewise: a release that was accepted continues.
      deletionPrevented: false,
      gatesMayPass:
        readsPlatformAgain(this.troubles) ||
        (this.view.exceptions ?? []).some(({ validUntilMs }) => validUntilMs > this.nowMs),
    });
    const reason = refused ?? (beginsErase.has(kind) ? learnedUnexpected(this.view.host) : null);
    if (reason === null) {
      // BMCs lock accounts, so a refused credential is retried only on behalf of a person of the provider, once per request.
      if (mayMeanCredential.has(kind)) this.memory.keep({ retryCredential: true });
      return payload;
    }
    const requestId = "by" in payload ? payload.by.requestId : "";
    this.inbox.refuse({ intent: kind, reason, requestId });
    return null;
  }

  /** When the agent of the present boot was last heard from; null: never. */
  get #agentSeenMs(): number | null {
    const { agent } = this.view;
    return agent !== null && agent.bootEpoch === this.bootEpoch ? agent.lastSeenMs : null;
  }

  /** The facts that decide on abort, hold, resume and retry. */
  get interruptionFacts(): InterruptionFacts | null {
    return interruptionFacts({
      state: this.state,
      open: this.reclamation !== null,
      running: this.steps.running,
      nowMs: this.nowMs,
      agentSeenMs: this.#agentSeenMs,
      agentFreshMs: this.policy.times.agentFreshMs,
      erasing: this.erase.running,
      cleaning: this.context.cleaning,
    });
  }

  /** Whether somebody can report the state of the drives. */
  get #drivesHeard(): boolean {
    const seenMs = this.#agentSeenMs;
    const version = this.view.agent?.agentVersion;
    return drivesAreHeard({
      nowMs: this.nowMs,
      agent: seenMs === null || version === undefined ? null : { version, seenMs },
      reportedAtMs: this.steps.attempt?.progress.reportedAtMs ?? null,
      agentFreshMs: this.policy.times.agentFreshMs,
    });
  }

  /**
   * Writes an effect, which is sent after the commit. The first one after a person's request retries a refused credential once.
   * @param quietMs for how long after it is done no decision is needed, because what follows wakes the host
   */
  request(kind: EffectKind, request: Readonly<Record<string, unknown>>, quietMs = 0): void {
    const retried = kind !== "network" && this.context.retryCredential === true;
    // safety: credential: one more attempt, not many
    if (retried) this.memory.forget("retryCredential");
    this.#effects.push({
      id: this.#newId(),
      kind,
      request: retried ? { ...request, retryCredential: true } : request,
      quietMs,
    });
  }

  /** Agents of the present boot and of earlier ones are not used again. */
  needNewBoot(): void {
    this.memory.needBoot(this.bootEpoch + 1);
  }

  enter(state: State, reason: string): void {
    this.run.enter(state, reason, this.nowMs);
    this.#keepClock(state);
  }

  #keepClock(state: State): void {
    const clock = this.reclamation === null ? null : clockIn(state, this.reclamation, this.nowMs);
    if (clock !== null) this.patchReclamation(clock);
  }

  /** Begins a reclamation with a copy of the site's policy; an earlier one that had stopped ends as `abandoned`. */
  beginReclamation(kind: ReclamationKind, by: IntentActor | null, instance: InstanceView | null): void {
    this.erase.remember();
    this.memory.forget("leaving");
    this.#reclamation.begin(newReclamation(this.view, this.#newId(), kind, by, instance));
    this.steps.clear();
    this.evidence.clearVerdicts();
    this.memory.keep({
      proven: emptyProven(),
      cleaning: emptyCleaning(),
      returnTo: null,
      failedIn: null,
    });
  }

  patchReclamation(patch: Partial<ReclamationView>): void {
    if (this.reclamation === null)
      throw new Error(`host ${this.view.run.hostId} has no reclamation in ${this.state}`);
    this.#reclamation.patch(patch);
  }

  /** An erase continues whatever happens to its reclamation, so its end is remembered. */
  endReclamation(outcome: Outcome, message: string | null): void {
    if (this.reclamation === null) return;
    this.erase.remember();
    if (outcome === "abandoned") this.memory.forget("leaving");
    this.#reclamation.end(outcome, message, this.steps.rows);
  }

  /** Replaces the list of steps. If one of them left an erase running, its end is remembered. */
  replaceSteps(steps: readonly StepView[]): void {
    this.erase.remember();
    this.steps.replace(steps);
  }

  /**
   * Notes a problem that is still being retried. It stays the first cause of whatever it leads to, until nothing is wrong any more. A failed host
   * keeps the cause of its failure: later problems only change the last error.
   */
  trouble(cause: Cause, message: string): void {
    const keepsFirst = isFailed(this.state) && this.troubles !== null;
    this.run.setError(message);
    if (!keepsFirst) this.memory.keep({ trouble: [...storable([cause])] });
  }

  /** The problem noted before; null: none. */
  get troubles(): Causes | null {
    return this.run.kept.lastError === null ? null : readCauses(this.context.trouble);
  }

  /** Stops in `Failed/<cause>`. Never touches power. Sets maintenance if a step was running. */
  stop({ cause, stepRunning, ...failure }: Failure): void {
    const causes = firstCause(this.troubles, failure.causes);
    const message = causes === failure.causes ? failure.message : causeText(causes);
    this.memory.keep({
      // A host that fails again while it is failed still resumes where it failed first.
      failedIn: isFailed(this.state) ? this.context.failedIn : this.state,
      boot: null,
    });
    this.memory.keepCleaning({ hold: null, abort: null, afterQueue: null, waitsForPlace: false });
    this.#reclamation.stop({ atMs: this.nowMs, cause, in: this.state, message }, this.steps.rows);
    this.run.setError(message);
    this.run.setCommand(null);
    if (stepRunning) this.run.beginMaintenance(message);
    this.run.setAllocatable(false);
    this.memory.keep({ trouble: [...storable(causes)] });
    this.run.enter(`Failed/${cause}`, message, this.nowMs, causes);
    this.#keepClock(`Failed/${cause}`);
  }

  /** Called when retry, restart or manage is accepted. Ends maintenance that a failure set; a person's stays. */
  clearFailure(): void {
    this.run.endMaintenanceOfFailure();
    if (this.reclamation !== null)
      this.patchReclamation({ stoppedAtMs: null, stoppedCause: null, stoppedIn: null, message: null });
    this.memory.keep({ failedIn: null, returnTo: null, boot: null });
    this.memory.forget("inspection", "contestedBoots", "trouble");
    this.run.setError(null);
  }
}
