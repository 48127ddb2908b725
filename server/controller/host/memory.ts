// The context that a host keeps besides its state (domain/lifecycle/context.ts), as this decision changes it. Each change makes a new context.
import { emptyContext } from "@/server/domain/lifecycle/context";
import type {
  BootContext,
  CleaningContext,
  ProvenContext,
  RunContext,
} from "@/server/domain/lifecycle/context";

/** The context as handlers read it. */
export type Remembered = Readonly<Omit<RunContext, "boot" | "cleaning" | "drives" | "network" | "proven">> & {
  readonly boot: Readonly<BootContext> | null;
  readonly cleaning: Readonly<CleaningContext>;
  readonly drives: readonly string[];
  readonly network: Readonly<NonNullable<RunContext["network"]>> | null;
  readonly proven: Readonly<ProvenContext>;
};

type Optional =
  | "bootSettings"
  | "bootToClear"
  | "contestedBoots"
  | "exceptedUntil"
  | "handOver"
  | "inspection"
  | "leaving"
  | "markClock"
  | "resetMark"
  | "retryCredential"
  | "sentEpoch"
  | "trouble";

export class Memory {
  #context: RunContext;

  constructor(context: RunContext) {
    this.#context = context;
  }

  get context(): Remembered {
    return this.#context;
  }

  /** As it is stored. */
  get stored(): RunContext {
    return this.#context;
  }

  /** The host goes to its next tenant: nothing else is kept. */
  begin(kept: Pick<Remembered, "drives" | "eraseUntil" | "network">): void {
    const { bootSettings } = this.#context;
    this.#context = {
      ...emptyContext(),
      ...kept,
      drives: [...kept.drives],
      ...(bootSettings === undefined ? {} : { bootSettings }),
    };
  }

  /** Each boot of ours sets its own boot source, and each restart uses up one that was set for the next boot only. */
  forgetBootDevice(which: "any" | "once"): void {
    const { bootSettings } = this.#context;
    if (bootSettings === undefined || bootSettings.device === null) return;
    if (which === "any" || !bootSettings.persistent)
      this.keep({ bootSettings: { ...bootSettings, device: null, persistent: false } });
  }

  keep(change: Partial<RunContext>): void {
    this.#context = { ...this.#context, ...change };
  }

  forget(...names: readonly Optional[]): void {
    const context = { ...this.#context };
    for (const name of names) delete context[name];
    this.#context = context;
  }

  /** Changes what this reclamation has proven. */
  prove(change: Partial<ProvenContext>): void {
    this.keep({ proven: { ...this.#context.proven, ...change } });
  }

  /** Changes what people asked of the cleaning, and what the controller is doing. */
  keepCleaning(change: Partial<CleaningContext>): void {
    this.keep({ cleaning: { ...this.#context.cleaning, ...change } });
  }

  /** Changes the boot in progress; no-op without one. */
  keepBoot(change: Partial<BootContext>): void {
    if (this.#context.boot !== null) this.keep({ boot: { ...this.#context.boot, ...change } });
  }

  /** Agents of earlier boots than this one are not used again. */
  needBoot(epoch: number): void {
    this.keep({ minEpoch: Math.max(this.#context.minEpoch, epoch) });
  }
}
