// One group of things that need a person, and the order of all groups (docs/next.md).
import { patternDigest } from "@/server/domain/hosts/failure-pattern";
import type { Tone } from "@/server/domain/lifecycle/state-rows/state-row";
import type { NextKind } from "@/server/domain/next/kinds";

/** Where the group is dealt with. */
export interface NextAct {
  readonly words: string;
  /** A path of the console. */
  readonly href: string;
  /** The command line that shows the same, without `reclaim`. */
  readonly command: string;
}

export interface NextGroup {
  readonly kind: NextKind;
  /** SHA-256 in hexadecimal; stays the same as long as the cause does. */
  readonly key: string;
  readonly tone: Tone;
  /** What there is, in a few words. */
  readonly title: string;
  /** Why, in a sentence. */
  readonly why: string;
  /** What to do, in a sentence. */
  readonly next: string;
  /** How many things the group has: hosts, events or requests. A snooze ends when it grows. */
  readonly size: number;
  /** How many hosts it keeps from coming back, or from staying; 0: none. */
  readonly hosts: number;
  /** How many tenants wait for one of these hosts. */
  readonly tenants: number;
  /** What it changes when it is done, such as "+12 hosts". */
  readonly effect: string;
  readonly since: Date;
  /** When it ends by itself, for what has an end. */
  readonly due: Date | null;
  readonly act: NextAct;
  /** Matches its hosts on the hosts page; null: none does. */
  readonly filter: string | null;
}

/** The key of a group that is not one of failures, whose key is their digest. Pure. */
export const nextKey = (kind: NextKind, of: string): string => patternDigest(`next ${kind} ${of}`);

/** Security, tenants who wait, hosts that come back, what ends soon. */
function rank({ kind, tenants }: NextGroup): number {
  if (kind === "security") return 0;
  if (tenants > 0) return 1;
  return kind === "ending" ? 3 : 2;
}

/** The worst first: only security events come in several tones that count. */
const severity = ({ kind, tone }: NextGroup): number => (kind === "security" && tone !== "failed" ? 1 : 0);

const time = ({ due, since }: NextGroup): number => (due ?? since).getTime();

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * In this order: security, tenants who wait, hosts that come back, what ends soon. Within each the worst, then the most hosts, then the oldest or the
 * soonest to end. Pure.
 */
export const inOrder = <Group extends NextGroup>(groups: readonly Group[]): readonly Group[] =>
  [...groups].sort(
    (a, b) =>
      rank(a) - rank(b) ||
      severity(a) - severity(b) ||
      (rank(a) === 3 ? 0 : b.hosts - a.hosts) ||
      time(a) - time(b) ||
      compareText(a.key, b.key),
  );
