// Turns what was measured into figures with their budgets. Pure.
import type { CommitRate } from "@/bench/release/commit-rate";
import type { StatementCost } from "@/bench/scale/database";
import { budgets, quantile } from "@/bench/figures";
import type { Figure, Section } from "@/bench/figures";
import { quantileBound } from "@/bench/release/metrics-text";
import type { Measured } from "@/bench/release/release";

const inMs = (seconds: number | null): number | null => (seconds === null ? null : seconds * 1000);

export function releaseSections(measured: Measured, rates: readonly CommitRate[]): readonly Section[] {
  const { hosts, processorMs, database, fleet } = measured;
  const per = (value: number | null) => (value === null ? null : value / hosts);
  const plain = (name: string, value: number | null, unit: string, note?: string): Figure => ({
    name,
    value,
    unit,
    budget: null,
    ...(note === undefined ? {} : { note }),
  });
  const sum =
    processorMs.database === null
      ? null
      : per(processorMs.web + processorMs.controller + processorMs.database);
  const p = (share: number) => inMs(quantileBound(measured.signalToHandler, share));
  const unseen = "its processes cannot be seen from here";
  const bound = "upper bound of the histogram's bucket";
  return [
    {
      title: "Speed",
      figures: [
        {
          name: "hosts to Ready",
          value: hosts / measured.seconds,
          unit: "hosts/s",
          budget: budgets.hostsPerSecond,
          note: `${hosts} in ${measured.seconds.toFixed(2)} s, the simulator on the same cores`,
        },
        plain("signal to handler, p50", p(0.5), "ms", bound),
        {
          name: "signal to handler, p99",
          value: p(0.99),
          unit: "ms",
          budget: budgets.signalToHandlerP99Ms,
          note: bound,
        },
        plain("answer to a release, p50", quantile(measured.releaseMs, 0.5), "ms", "all sent at once"),
        plain("answer to a release, p99", quantile(measured.releaseMs, 0.99), "ms"),
      ],
    },
    {
      title: "Processor time per host",
      figures: [
        plain("web", per(processorMs.web), "ms", "takes the releases"),
        plain("controller", per(processorMs.controller), "ms", "with the agents' and network's requests"),
        plain(
          "database",
          per(processorMs.database),
          "ms",
          ...(processorMs.database === null ? [unseen] : []),
        ),
        { name: "web + controller + database", value: sum, unit: "ms", budget: budgets.processorMsPerHost },
        plain(
          "simulator",
          per(processorMs.simulator),
          "ms",
          "hosts, agents, BMCs and network; no part of the product",
        ),
      ],
    },
    {
      title: "Work per host",
      figures: [
        {
          name: "transitions",
          value: per(measured.transitions),
          unit: "",
          budget: budgets.transitionsPerHost,
        },
        {
          name: "commits of its handler",
          value: per(measured.commits),
          unit: "",
          budget: budgets.commitsPerHost,
          note: "one statement commits many hosts",
        },
        plain(
          "SQL statements",
          per(database.statements),
          "",
          database.statements === null
            ? "pg_stat_statements is not loaded"
            : "of all processes, BEGIN and COMMIT too",
        ),
        {
          name: "SQL statements per transition",
          value: database.statements === null ? null : database.statements / measured.transitions,
          unit: "",
          budget: budgets.statementsPerTransition,
        },
        plain("database transactions", per(database.transactions), ""),
        plain("WAL", per(database.walBytes / 1024), "KiB"),
        plain(
          "evidence stored",
          per(database.evidenceBytes / 1024),
          "KiB",
          "on disk with indexes; kept for good",
        ),
        plain(
          "other records stored",
          per(database.detailBytes / 1024),
          "KiB",
          "on disk with indexes; deleted after RECLAIM_KEEP_DAYS",
        ),
        {
          name: "agent requests",
          value: per(fleet.agentRequests),
          unit: "",
          budget: budgets.agentRequestsPerHost,
        },
        {
          name: "Redfish requests",
          value: per(fleet.redfishRequests),
          unit: "",
          budget: budgets.redfishRequestsPerHost,
        },
        plain("boot requests", per(fleet.bootRequests), ""),
        plain("network acknowledgements", per(fleet.networkAcknowledgements), ""),
        {
          name: "audit events",
          value: per(measured.auditEvents),
          unit: "",
          budget: budgets.auditEventsPerHost,
        },
      ],
    },
    {
      title: "Mean time of a host in each state",
      figures: measured.statesMs.map(({ state, ms, hosts: seen }) =>
        plain(state, ms, "ms", seen === hosts ? undefined : `${seen} hosts`),
      ),
    },
    {
      title: "PostgreSQL alone, same run",
      figures: rates.map(({ connections, perSecond }) =>
        plain(
          `single-row commits, ${connections} connection${connections === 1 ? "" : "s"}`,
          perSecond,
          "/s",
        ),
      ),
    },
  ];
}

/** What the dearest statements cost the server per returned host. */
export function costSection(costs: readonly StatementCost[], hosts: number): Section {
  return {
    title: "Statements by time in the server",
    figures: costs.map((cost) => ({
      name: cost.text.replaceAll("|", "¦"),
      value: cost.totalMs / hosts,
      unit: "ms per host",
      budget: null,
      note: `${(cost.calls / hosts).toFixed(2)} calls per host, ${cost.meanMs.toFixed(2)} ms each, ${(cost.walBytes / hosts / 1024).toFixed(1)} KiB of WAL per host`,
    })),
  };
}
