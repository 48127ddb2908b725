// Collects the faults that the check of a log finds.

/** What is wrong, and with which file or event. */
export interface Fault {
  readonly what: string;
  readonly why: string;
}

/** A log changed throughout would have as many faults as events. */
const maxFaults = 1_000;

export class Faults {
  readonly list: Fault[] = [];
  /** More faults were found than are listed. */
  more = false;

  add(what: string, why: string): void {
    if (this.list.length < maxFaults) this.list.push({ what, why });
    else this.more = true;
  }
}
