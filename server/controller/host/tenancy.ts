// The instance on a host, and the debts of earlier ones, as this decision changes them.
import type { Decision } from "@/server/controller/host/decision";
import type { InstanceView } from "@/server/domain/hosts/record/host";
import type { ReclamationKind } from "@/server/domain/hosts/record/reclamation";
import type { HostView } from "@/server/domain/hosts/record/view";

export class Tenancy {
  #instance: InstanceView | null;
  #resourcesHeld: number;
  #debts: number;
  #ended: string | null = null;
  #readyChanged: string | null = null;
  #ready: string | null = null;
  #newDebt: Decision["newDebt"] = null;
  #clearedDebts: string | null = null;
  readonly #history: Decision["instanceHistory"][number][] = [];

  constructor({
    instance,
    resourcesHeld,
    debts,
    run: { context },
  }: Pick<HostView, "debts" | "instance" | "resourcesHeld" | "run">) {
    this.#instance = instance;
    this.#resourcesHeld = resourcesHeld;
    // What an earlier reclamation let through was never proven, so no setting, priority or recheck may leave it out.
    const isProven = context.exceptedUntil === undefined;
    this.#debts = debts.count + (isProven ? 0 : 1);
  }

  get instance(): InstanceView | null {
    return this.#instance;
  }
  /** Its release was recorded, whether or not the signal was read. */
  get isReleasing(): boolean {
    return this.#instance !== null && this.#instance.releaseRequestedMs !== null;
  }
  get resourcesHeld(): number {
    return this.#resourcesHeld;
  }
  /** The number of sanitizations that the host owes. */
  get debts(): number {
    return this.#debts;
  }
  /** Why the host was not handed over, if it was read and is not what was proven. */
  get readyChanged(): string | null {
    return this.#readyChanged;
  }

  noteReadyChanged(why: string): void {
    this.#readyChanged = why;
  }

  get ended(): string | null {
    return this.#ended;
  }
  get ready(): string | null {
    return this.#ready;
  }
  get newDebt(): Decision["newDebt"] {
    return this.#newDebt;
  }
  get clearedDebts(): string | null {
    return this.#clearedDebts;
  }
  get history(): Decision["instanceHistory"] {
    return this.#history;
  }

  /** Adds to the status history that the tenant reads. */
  note(instance: InstanceView, status: string, message: string): void {
    this.#history.push({ instanceId: instance.id, status, message });
  }

  setReady(instance: InstanceView): void {
    this.#ready = instance.id;
    this.note(instance, "Ready", "Instance is ready for use");
  }

  /** Ends the instance and frees its network resources. `why`: for its tenant, in the last line of its history. */
  end(instance: InstanceView, why: string): void {
    this.#ended = instance.id;
    this.note(instance, "Terminated", why);
    this.#instance = null;
    this.#resourcesHeld = 0;
  }

  owe(debt: NonNullable<Decision["newDebt"]>): void {
    this.#newDebt = debt;
    this.#debts += 1;
  }

  clearDebts(why: string): void {
    this.#clearedDebts = why;
    this.#debts = 0;
  }
}

/** The kind of reclamation that follows when an instance is given up. */
export const releaseKind = (instance: Pick<InstanceView, "repairRelease"> | null): ReclamationKind =>
  instance?.repairRelease === true ? "repairRelease" : "release";
