// What a decision adds to a reclamation's evidence: device results, verdicts and gates.
import type { GateResult } from "@/server/domain/reclamations/gates/gate-rule";
import type { Decision } from "@/server/controller/host/decision";
import type { DeviceVerdict } from "@/server/domain/hosts/record/reclamation";
import { deviceKey } from "@/server/domain/hosts/inventory/inventory";

export class Evidence {
  readonly #results: Decision["deviceResults"][number][] = [];
  readonly #probes: Decision["probes"][number][] = [];
  readonly #verdicts = new Map<string, DeviceVerdict>();
  #gates: readonly GateResult[] = [];
  #expectSeq: string | null = null;

  constructor(verdicts: readonly DeviceVerdict[]) {
    for (const verdict of verdicts) this.setVerdict(verdict);
  }

  /** The newest verdict on each device in the present plan. */
  get verdicts(): readonly DeviceVerdict[] {
    return [...this.#verdicts.values()];
  }
  get results(): Decision["deviceResults"] {
    return this.#results;
  }
  get probes(): Decision["probes"] {
    return this.#probes;
  }
  get gates(): readonly GateResult[] {
    return this.#gates;
  }
  get expectSeq(): string | null {
    return this.#expectSeq;
  }

  addResult(result: Decision["deviceResults"][number]): void {
    this.#results.push(result);
    this.setVerdict(result);
  }

  /** Counted per drive model; no gate depends on it. */
  addProbe(probe: Decision["probes"][number]): void {
    this.#probes.push(probe);
  }

  setVerdict(verdict: DeviceVerdict): void {
    this.#verdicts.set(deviceKey(verdict), verdict);
  }

  /** Verdicts of an earlier plan do not count. */
  clearVerdicts(): void {
    this.#verdicts.clear();
  }

  setGates(gates: readonly GateResult[]): void {
    this.#gates = gates;
  }

  /** The commit writes nothing if evidence has moved since this number. */
  expectUnmoved(seq: string): void {
    this.#expectSeq = seq;
  }
}
