// Turns the signals' times into figures with budgets. Pure.
import { budgets, quantile } from "@/bench/figures";
import type { Budget, Figure, Section } from "@/bench/figures";
import type { TimedSignal } from "@/bench/latency/latency-scene";

function figures(what: string, times: readonly (number | null)[], budget: Budget | null): readonly Figure[] {
  const ascending = times.filter((ms) => ms !== null).sort((a, b) => a - b);
  if (ascending.length !== times.length)
    throw new Error(
      `no figures: ${times.length - ascending.length} of ${times.length} signals met no handler`,
    );
  const figure = (name: string, value: number | null, of: Budget | null): Figure => ({
    name: `${what}, ${name}`,
    value,
    unit: "ms",
    budget: of,
  });
  return [
    figure("p50", quantile(ascending, 0.5), null),
    figure("p99", quantile(ascending, 0.99), budget),
    figure("longest", ascending.at(-1) ?? null, budget),
  ];
}

/** Throws if a signal was never handled, or if none or all arrived while a handler was running: then the scenario did not happen. */
export function latencySections(times: readonly TimedSignal[]): readonly Section[] {
  const [met, alone] = [
    times.filter(({ metHandler }) => metHandler),
    times.filter(({ metHandler }) => !metHandler),
  ];
  if (met.length === 0 || alone.length === 0)
    throw new Error(
      `no figures: ${met.length} of ${times.length} signals came while the handler of their host was at work`,
    );
  const section = (title: string, of: readonly TimedSignal[]): Section => ({
    title: `${title} (${of.length})`,
    figures: [
      ...figures(
        "to its handler",
        of.map(({ toHandlerMs }) => toHandlerMs),
        budgets.signalToHandlerMs,
      ),
      ...figures(
        "to the commit of its handler",
        of.map(({ toCommitMs }) => toCommitMs),
        null,
      ),
    ],
  });
  return [
    section("Signals to hosts at rest", alone),
    section("Signals that arrive while the handler of their host runs", met),
  ];
}
