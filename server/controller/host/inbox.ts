// The unread input of a decision: signals, and outcomes of effects. Each is taken once; the rest is refused or left to the next decision.
import { intentKinds } from "@/server/domain/lifecycle/signals";
import type { IntentKind, Signal, SignalKind } from "@/server/domain/lifecycle/signals";
import type { EffectKind, EffectView } from "@/server/domain/hosts/record/effect";
import type { HostView } from "@/server/domain/hosts/record/view";

type Payloads = { [S in Signal as S["kind"]]: S["payload"] };
export type PayloadOf<K extends SignalKind> = Payloads[K];

/** An intent that was read and cannot be followed, and why. */
export interface Refusal {
  readonly intent: string;
  readonly reason: string;
  readonly requestId: string;
}

export class Inbox {
  readonly #signals: { readonly id: string; readonly signal: Signal }[];
  readonly #effects: EffectView[];
  readonly #left = new Set<string>();
  readonly #refused: Refusal[] = [];

  constructor({ signals, effects }: Pick<HostView, "signals" | "effects">) {
    this.#signals = [...signals];
    this.#effects = [...effects];
  }

  get refused(): readonly Refusal[] {
    return this.#refused;
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

  /** Whether a person or program requested something that is still unread. */
  get asksForMore(): boolean {
    return this.#signals.some(({ signal }) => intentKinds.some((kind) => kind === signal.kind));
  }

  /** Which of these intents came first among the unread ones; null: none. */
  firstOf<K extends IntentKind>(kinds: readonly K[]): K | null {
    for (const { signal } of this.#signals) {
      const found = kinds.find((kind) => kind === signal.kind);
      if (found !== undefined) return found;
    }
    return null;
  }

  /** Takes the first unread signal of any of these intents, in order of arrival. */
  takeFirst<K extends IntentKind>(kinds: readonly K[]): Extract<Signal, { kind: K }> | null {
    const index = this.#signals.findIndex(({ signal }) => kinds.some((kind) => kind === signal.kind));
    const [found] = index === -1 ? [] : this.#signals.splice(index, 1);
    // Proven by the comparison of kinds above; TypeScript does not correlate the two members of a generic union.
    return found === undefined ? null : (found.signal as Extract<Signal, { kind: K }>);
  }

  /** Refuses an intent; the requester is told why. */
  refuse(refusal: Refusal): void {
    this.#refused.push(refusal);
  }

  /** Refuses intents left over after the last handler: too late or too early for the host's state, or refused for another reason. */
  refuseRest(reason: string): void {
    for (const { signal } of this.#signals) {
      if ("by" in signal.payload)
        this.refuse({ intent: signal.kind, reason, requestId: signal.payload.by.requestId });
    }
    this.#signals.length = 0;
  }

  /** Leaves unread signals to the next decision; false if there are none. */
  leaveRest(): boolean {
    for (const { id } of this.#signals.splice(0)) this.#left.add(id);
    return this.#left.size > 0;
  }

  /** Leaves the unread signals of a kind to a later decision, because a following state handles them. */
  leave(kind: SignalKind): void {
    const [left, rest] = [
      this.#signals.filter(({ signal }) => signal.kind === kind),
      this.#signals.filter(({ signal }) => signal.kind !== kind),
    ];
    for (const { id } of left) this.#left.add(id);
    this.#signals.splice(0, Infinity, ...rest);
  }

  /** Whether a signal is not consumed by this decision. */
  isLeft(signalId: string): boolean {
    return this.#left.has(signalId);
  }

  /** Takes the outcome of the newest unread effect of a kind; earlier ones then count as read. */
  takeEffect(kind: EffectKind, isWanted = (_effect: EffectView): boolean => true): EffectView | null {
    const found = this.#effects.filter((effect) => effect.kind === kind && isWanted(effect));
    if (found.length === 0) return null;
    for (const effect of found) this.#effects.splice(this.#effects.indexOf(effect), 1);
    return found.at(-1) ?? null;
  }

  /** Whether no handler read an effect's outcome, which is then left to the next decision. */
  isUnread(effectId: string): boolean {
    return this.#effects.some((effect) => effect.id === effectId);
  }
}
