// Turns the measurements into figures with budgets. Pure.
import type { CommitRate } from "@/bench/release/commit-rate";
import type { StatementCost } from "@/bench/scale/database";
import { budgets, figure, quantile } from "@/bench/figures";
import type { Figure, Section } from "@/bench/figures";
import { quantileBound } from "@/bench/release/metrics-text";
import type { Measured } from "@/bench/release/release";

const inMs = (seconds: number | null): number | null => (seconds === null ? null : seconds * 1000);

const unseen = "its processes cannot be seen from here";
const bound = "upper bound of the histogram's bucket";

function speed(measured: Measured): readonly Figure[] {
  const { hosts, releaseMs, seconds } = measured;
  const handler = (share: number) => inMs(quantileBound(measured.signalToHandler, share));
  return [
    figure("hosts to Ready", hosts / seconds, "hosts/s", {
      budget: budgets.hostsPerSecond,
      note: `${hosts} in ${seconds.toFixed(2)} s, the simulator on the same cores`,
    }),
    figure("signal to handler, p50", handler(0.5), "ms", { note: bound }),
    figure("signal to handler, p99", handler(0.99), "ms", {
      budget: budgets.signalToHandlerP99Ms,
      note: bound,
    }),
    figure("answer to a release, p50", quantile(releaseMs, 0.5), "ms", { note: "all sent at once" }),
    figure("answer to a release, p99", quantile(releaseMs, 0.99), "ms"),
  ];
}

/** Divides by the number of hosts. */
type Share = (value: number | null) => number | null;

function processorTime({ processorMs }: Measured, per: Share): readonly Figure[] {
  const { web, controller, database, simulator } = processorMs;
  return [
    figure("web", per(web), "ms", { note: "takes the releases" }),
    figure("controller", per(controller), "ms", { note: "with the agents' and network's requests" }),
    figure("database", per(database), "ms", database === null ? { note: unseen } : {}),
    figure("web + controller + database", database === null ? null : per(web + controller + database), "ms", {
      budget: budgets.processorMsPerHost,
    }),
    figure("simulator", per(simulator), "ms", {
      note: "hosts, agents, BMCs and network; no part of the product",
    }),
  ];
}

function statements({ database, transitions }: Measured, per: Share): readonly Figure[] {
  return [
    figure("SQL statements", per(database.statements), "", {
      note:
        database.statements === null
          ? "pg_stat_statements is not loaded"
          : "of all processes, BEGIN and COMMIT too",
    }),
    figure(
      "SQL statements per transition",
      database.statements === null ? null : database.statements / transitions,
      "",
      { budget: budgets.statementsPerTransition },
    ),
    figure("database transactions", per(database.transactions), ""),
    figure("WAL", per(database.walBytes / 1024), "KiB"),
    figure("evidence stored", per(database.evidenceBytes / 1024), "KiB", {
      note: "on disk with indexes; kept for good",
    }),
    figure("other records stored", per(database.detailBytes / 1024), "KiB", {
      note: "on disk with indexes; deleted after RECLAIM_KEEP_DAYS",
    }),
  ];
}

function work(measured: Measured, per: Share): readonly Figure[] {
  const { fleet } = measured;
  return [
    figure("transitions", per(measured.transitions), "", { budget: budgets.transitionsPerHost }),
    figure("commits of its handler", per(measured.commits), "", {
      budget: budgets.commitsPerHost,
      note: "one statement commits many hosts",
    }),
    ...statements(measured, per),
    figure("agent requests", per(fleet.agentRequests), "", { budget: budgets.agentRequestsPerHost }),
    figure("Redfish requests", per(fleet.redfishRequests), "", { budget: budgets.redfishRequestsPerHost }),
    figure("boot requests", per(fleet.bootRequests), ""),
    figure("network acknowledgements", per(fleet.networkAcknowledgements), ""),
    figure("audit events", per(measured.auditEvents), "", { budget: budgets.auditEventsPerHost }),
  ];
}

/** The cost of a run of releases, per host where that is more meaningful. */
export function releaseSections(measured: Measured, rates: readonly CommitRate[]): readonly Section[] {
  const { hosts } = measured;
  const per: Share = (value) => (value === null ? null : value / hosts);
  return [
    { title: "Speed", figures: speed(measured) },
    { title: "Processor time per host", figures: processorTime(measured, per) },
    { title: "Work per host", figures: work(measured, per) },
    {
      title: "Mean time of a host in each state",
      figures: measured.statesMs.map(({ state, ms, hosts: seen }) =>
        figure(state, ms, "ms", seen === hosts ? {} : { note: `${seen} hosts` }),
      ),
    },
    {
      title: "PostgreSQL alone, same run",
      figures: rates.map(({ connections, perSecond }) =>
        figure(
          `single-row commits, ${connections} connection${connections === 1 ? "" : "s"}`,
          perSecond,
          "/s",
        ),
      ),
    },
  ];
}

/** The server cost of the most expensive statements per returned host. */
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
