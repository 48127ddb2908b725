// What a state controller is started with.
import type { Pool } from "pg";
import type { Command } from "@/server/domain/agents/protocol";
import type { DecideOptions } from "@/server/controller/decide/decide";
import type { EffectDependencies } from "@/server/controller/effects/effect-runner";
import type { ControllerObserver } from "@/server/controller/loop/observer";

export interface ControllerOptions {
  readonly name: string;
  readonly leaseMs: number;
  /** 0: no sweep. */
  readonly sweepMs: number;
  readonly takeoverMs: number;
  /** Maximum hosts in one claim. */
  readonly batch?: number;
  readonly decide?: Omit<DecideOptions, "newId">;
}

export interface ControllerDependencies extends EffectDependencies {
  readonly pool: Pool;
  readonly observer: ControllerObserver;
  /** Called with an agent's next command right after the commit. */
  readonly publishCommand: (hostId: string, bootEpoch: number, command: Command) => void;
  /** Called when hosts changed; tells the live feed at its own pace. */
  readonly changed: () => void;
}
