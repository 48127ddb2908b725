// What the check of a log has found so far.

/** What is wrong, by the file or event that it is wrong with. */
export interface Fault {
  readonly what: string;
  readonly why: string;
}

/** A log that was changed throughout has as many faults as events. */
const maxFaults = 1_000;

export class Faults {
  readonly list: Fault[] = [];
  /** More were found than are listed. */
  more = false;

  add(what: string, why: string): void {
    if (this.list.length < maxFaults) this.list.push({ what, why });
    else this.more = true;
  }
}
