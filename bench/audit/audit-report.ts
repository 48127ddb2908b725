// Turns the audit log's measurements beside a fleet into figures with budgets. Pure.
import type { FleetTurns, TurnKind } from "@/bench/audit/transitions";
import { perSecond, writers } from "@/bench/audit/writers";
import { budgets, figure, quantile } from "@/bench/figures";
import type { Figure, Section } from "@/bench/figures";

/** The slowdown in percent; null if there is nothing to compare. */
export const slower = (now: number | null, before: number | null): number | null =>
  now === null || before === null ? null : (now / before - 1) * 100;

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Of an even number of values: the mean of the two in the middle. */
const median = (ascending: readonly number[]): number | null =>
  mean(ascending.slice(Math.ceil(ascending.length / 2) - 1, Math.floor(ascending.length / 2) + 1));

const digits = (value: number | null): string => (value === null ? "–" : value.toPrecision(3));

const names = {
  none: "nobody writes",
  plain: "rows into a plain table",
  log: "events into the log",
} as const satisfies Record<TurnKind, string>;

/** Each round by itself: what else the machine does within the minutes of one round affects all its turns. */
function byRound(turns: FleetTurns["turns"]): Figure {
  const times = (kind: TurnKind, round: number) =>
    turns.filter((turn) => turn.kind === kind && turn.round === round).flatMap((turn) => turn.transitionMs);
  const rounds = [...new Set(turns.map(({ round }) => round))]
    .flatMap((round) => slower(mean(times("log", round)), mean(times("none", round))) ?? [])
    .toSorted((a, b) => a - b);
  return figure("the same, median of rounds", median(rounds), "%", {
    note: `${rounds.length} rounds of ${Object.keys(names).length} turns; from ${digits(rounds[0] ?? null)} to ${digits(rounds.at(-1) ?? null)}; mean ${digits(mean(rounds))}`,
  });
}

const certificates = (seconds: readonly number[], burst: readonly number[]): readonly Figure[] => [
  figure("certificate after the end, p50", quantile(seconds, 0.5), "s"),
  figure("certificate after the end, longest", quantile(seconds, 1), "s", {
    budget: budgets.certificateSeconds,
    note: `${seconds.length} hosts that became Ready`,
  }),
  figure(`certificate after the end, ${burst.length} at once, longest`, quantile(burst, 1), "s", {
    budget: budgets.certificateSeconds,
    note: "copies of one reclamation, ended by one statement",
  }),
];

/** How long hosts take with and without writers, and how soon they have their certificates. */
export function fleetSection({
  hosts,
  perSecond: pace,
  turns,
  certificateSeconds,
  burstSeconds,
}: FleetTurns): Section {
  const of = (kind: TurnKind) => turns.filter((turn) => turn.kind === kind);
  const all = (kind: TurnKind) =>
    of(kind)
      .flatMap(({ transitionMs }) => transitionMs)
      .toSorted((a, b) => a - b);
  const each = (kind: TurnKind) => of(kind).map(({ transitionMs }) => digits(mean(transitionMs)));
  const transition = (kind: TurnKind): Figure =>
    figure(`a transition of a host, mean, ${names[kind]}`, mean(all(kind)), "ms", {
      note: `by turn ${each(kind).join(", ")}; cores busy ${digits((mean(of(kind).map(({ busy }) => busy)) ?? 0) * 100)} %`,
    });
  const rate = (kind: TurnKind): number | null =>
    mean(of(kind).flatMap(({ written }) => (written === null ? [] : written.ids.size / written.seconds)));
  const compared = (now: TurnKind, before: TurnKind) => slower(mean(all(now)), mean(all(before)));
  return {
    title: `${hosts} hosts released, ${pace} a second, beside ${writers} writers of ${perSecond} events/s`,
    figures: [
      transition("none"),
      transition("plain"),
      transition("log"),
      figure("slower by writers of the log", compared("log", "none"), "%", {
        budget: budgets.transitionsSlowerPercent,
        note: "what an operator sees: writers, log, server and hosts on the same cores",
      }),
      byRound(turns),
      figure("slower by writers of a plain table", compared("plain", "none"), "%", {
        note: "of that, what any writer takes",
      }),
      figure("slower by the log alone", compared("log", "plain"), "%", {
        note: "queue, numbers, tree and signatures",
      }),
      figure("a transition, p99 of hosts, nobody writes", quantile(all("none"), 0.99), "ms"),
      figure("a transition, p99 of hosts, events into the log", quantile(all("log"), 0.99), "ms"),
      figure("events committed meanwhile", rate("log"), "events/s", {
        note: `into the plain table ${digits(rate("plain"))}`,
      }),
      ...certificates(certificateSeconds, burstSeconds),
    ],
  };
}
