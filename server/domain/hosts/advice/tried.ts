// What people did so far about the failure of a host: the memory of its advice (docs/next.md#advice).
import type { Disposition } from "@/server/domain/cleaning/sanitization/dispositions";

/** A drive that the host stopped for. */
export interface TriedDrive {
  readonly serial: string;
  readonly slot: string | null;
  readonly model: string;
  readonly firmware: string;
  /** How often it stopped the host since the host was last Ready, this time included. */
  readonly stops: number;
  /** After how many stops it is to be replaced, by its own causes; null: none of them calls for another drive. */
  readonly replaceAfter: number | null;
  /** What its cause says to check. */
  readonly check: string;
  /** Reference of an open ticket that asks for its replacement; null: none does. */
  readonly ticket: string | null;
  /** No inventory lists it any more. */
  readonly gone: boolean;
  /** Serial number of the drive that a newer inventory lists in its slot; null: none, or its slot is not known. */
  readonly successor: string | null;
  /** Of the disposition that stands; null: there is none. */
  readonly signature: Disposition["signature"] | null;
  /** Why that disposition has no effect: what the newest inventories say; null: they do not contradict it. */
  readonly contradiction: string | null;
}

/** An exception that was requested since the host stopped, and was neither rejected nor voided. */
export interface TriedException {
  readonly gate: string;
  /** Null: the whole gate. */
  readonly drive: string | null;
  /** Null: another person has not decided yet. */
  readonly approvedBy: string | null;
  readonly validUntil: Date;
}

export interface Tried {
  /** In the order of the causes. */
  readonly drives: readonly TriedDrive[];
  readonly exceptions: readonly TriedException[];
}

export const nothingTried: Tried = { drives: [], exceptions: [] };
