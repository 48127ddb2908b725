// What a decision adds to a reclamation's evidence: device results, verdicts and gates.
import type { GateResult } from "@/server/domain/reclamations/gates/gate-rule";
import type { Decision } from "@/server/controller/host/decision";
import type { HostView } from "@/server/domain/hosts/record/view";

type DeviceResult = Decision["deviceResults"][number];
export type Verdict = HostView["deviceVerdicts"][number];

const keyOf = ({ serial, model }: Pick<Verdict, "serial" | "model">): string => `${serial}\u0000${model}`;

export class Evidence {
  readonly #results: DeviceResult[] = [];
  readonly #probes: Decision["probes"][number][] = [];
  readonly #verdicts = new Map<string, Verdict>();
  #gates: readonly GateResult[] = [];
  #expectSeq: string | null = null;

  constructor(verdicts: readonly Verdict[]) {
    for (const verdict of verdicts) this.setVerdict(verdict);
  }

  /** The newest verdict on each device in the present plan. */
  get verdicts(): readonly Verdict[] {
    return [...this.#verdicts.values()];
  }
  get results(): readonly DeviceResult[] {
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

  addResult(result: DeviceResult): void {
    this.#results.push(result);
    this.setVerdict(result);
  }

  /** Counted per drive model; no gate depends on it. */
  addProbe(probe: Decision["probes"][number]): void {
    this.#probes.push(probe);
  }

  setVerdict({ serial, model, verdict, reason }: Verdict): void {
    this.#verdicts.set(keyOf({ serial, model }), { serial, model, verdict, reason });
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
