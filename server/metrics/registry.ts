// Everything that this process counts and times, for `/metrics` (docs/operations.md#monitoring). No host names in labels.
// A room of its own at the bottom of the house: controller, hardware, agents and surfaces all count, and it imports none of them.
import { Counter, Gauge, Histogram, Registry } from "prom-client";

const fast = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** As `fast`, and finer around the budget of 250 ms (docs/benchmarks.md). */
const reaction = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 10,
];
const long = [1, 5, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 86_400];

/** The lifecycle, counted where a commit succeeded. */
const lifecycle = (registers: Registry[]) => ({
  transitions: new Counter({
    registers,
    name: "reclaim_transitions_total",
    help: "States entered.",
    labelNames: ["state"],
  }),
  timeInState: new Histogram({
    registers,
    name: "reclaim_time_in_state_seconds",
    help: "How long hosts stayed in a state, observed when they leave it.",
    labelNames: ["state", "next"],
    buckets: long,
  }),
  reclamationDuration: new Histogram({
    registers,
    name: "reclaim_reclamation_duration_seconds",
    help: "From the begin of a reclamation to its outcome.",
    labelNames: ["outcome", "sku"],
    buckets: long,
  }),
  failures: new Counter({
    registers,
    name: "reclaim_failures_total",
    help: "Hosts that went to Failed, by cause.",
    labelNames: ["cause"],
  }),
  rebootAttempts: new Histogram({
    registers,
    name: "reclaim_reboot_attempts",
    help: "Boots that it took until an agent registered.",
    buckets: [1, 2, 3, 4, 6, 8, 11, 15],
  }),
});

/** What was proven: counted where a commit succeeded, and of the hosts when the metrics are fetched. */
const standing = (registers: Registry[]) => ({
  reclamationsEnded: new Counter({
    registers,
    name: "reclaim_reclamations_ended_total",
    help: "Reclamations that ended, by what they proved.",
    labelNames: ["standing"],
  }),
  hostsByStanding: new Gauge({
    registers,
    name: "reclaim_hosts_by_standing",
    help: "Hosts by what is proven of them, and whether they are Ready.",
    labelNames: ["standing", "ready", "site"],
  }),
});

/** Cleaning. */
const cleaning = (registers: Registry[]) => ({
  stepRuns: new Counter({
    registers,
    name: "reclaim_step_runs_total",
    help: "Attempts of clean steps that ended.",
    labelNames: ["interface", "step", "result"],
  }),
  stepDuration: new Histogram({
    registers,
    name: "reclaim_step_duration_seconds",
    help: "How long an attempt of a clean step took.",
    labelNames: ["interface", "step"],
    buckets: long,
  }),
  devices: new Counter({
    registers,
    name: "reclaim_devices_total",
    help: "Devices that were treated, as judged.",
    labelNames: ["media", "technique", "result"],
  }),
});

/** The controller itself. */
const controller = (registers: Registry[]) => ({
  signalToHandler: new Histogram({
    registers,
    name: "reclaim_signal_to_handler_seconds",
    help: "From the time a signal was stored to the claim that read it.",
    buckets: reaction,
  }),
  loop: new Histogram({
    registers,
    name: "reclaim_controller_loop_seconds",
    help: "One round: claim, decide, commit.",
    buckets: fast,
  }),
  claimed: new Counter({ registers, name: "reclaim_controller_claimed_total", help: "Hosts claimed." }),
  commits: new Counter({
    registers,
    name: "reclaim_controller_commits_total",
    help: "Commit statements, by result.",
    labelNames: ["result"],
  }),
  lostFences: new Counter({
    registers,
    name: "reclaim_controller_lost_fences_total",
    help: "Decisions thrown away because another controller had taken the host over.",
  }),
  effects: new Counter({
    registers,
    name: "reclaim_effects_total",
    help: "Effects on hardware and networks that were settled.",
    labelNames: ["kind", "result"],
  }),
  effectDuration: new Histogram({
    registers,
    name: "reclaim_effect_duration_seconds",
    help: "How long an effect was under way.",
    labelNames: ["kind"],
    buckets: fast,
  }),
  bmcRequests: new Histogram({
    registers,
    name: "reclaim_bmc_request_seconds",
    help: "Requests to BMCs.",
    labelNames: ["method", "result"],
    buckets: fast,
  }),
});

/** Machine surfaces. */
const machines = (registers: Registry[]) => ({
  requests: new Histogram({
    registers,
    name: "reclaim_http_request_seconds",
    help: "Requests of machines; a held poll counts with the time it was held.",
    labelNames: ["surface", "route", "status"],
    buckets: fast,
  }),
  refusals: new Counter({
    registers,
    name: "reclaim_refused_reports_total",
    help: "Reports of agents and adapters that were refused.",
    labelNames: ["action", "reason"],
  }),
  agentsWaiting: new Gauge({
    registers,
    name: "reclaim_agents_waiting",
    help: "Polls of agents that this process holds open.",
  }),
});

/** Read from the database when the metrics are fetched. */
const readFromDatabase = (registers: Registry[]) => ({
  hosts: new Gauge({
    registers,
    name: "reclaim_hosts",
    help: "Hosts, by state and site.",
    labelNames: ["state", "site"],
  }),
  hostsAboveSla: new Gauge({
    registers,
    name: "reclaim_hosts_above_sla",
    help: "Hosts over the time limit of their state.",
    labelNames: ["state", "site"],
  }),
  hostsOverdue: new Gauge({
    registers,
    name: "reclaim_hosts_overdue",
    help: "Hosts whose reclamation is over its total time limit.",
    labelNames: ["site"],
  }),
  hostsAlerted: new Gauge({
    registers,
    name: "reclaim_hosts_alerted",
    help: "Hosts that a health alert keeps out of allocation, except those whose alert suppresses external alerting.",
    labelNames: ["site"],
  }),
  brakes: new Gauge({
    registers,
    name: "reclaim_brakes",
    help: "Brakes that are on, and those that ask a person because they would take the last capacity of a SKU.",
    labelNames: ["site", "state"],
  }),
  repairLeases: new Gauge({
    registers,
    name: "reclaim_repair_leases",
    help: "Hosts that repair systems outside have.",
    labelNames: ["site"],
  }),
  repairLeasesOverdue: new Gauge({
    registers,
    name: "reclaim_repair_leases_overdue",
    help: "Of them, those that should have been returned.",
    labelNames: ["site"],
  }),
  firmwareUpdates: new Gauge({
    registers,
    name: "reclaim_host_firmware_updates",
    help: "Hosts of open firmware rollouts: pending, running, failed.",
    labelNames: ["site", "state"],
  }),
  hostsMeasured: new Gauge({
    registers,
    name: "reclaim_hosts_measured",
    help: "Hosts of sites that observe or require attestation, by how their newest boot was measured.",
    labelNames: ["site", "state"],
  }),
  hostsDue: new Gauge({
    registers,
    name: "reclaim_queue_hosts",
    help: "Hosts that are due and not claimed.",
  }),
  queueLag: new Gauge({
    registers,
    name: "reclaim_queue_lag_seconds",
    help: "For how long the oldest unclaimed host has been due.",
  }),
  gatesUnsatisfied: new Gauge({
    registers,
    name: "reclaim_gate_unsatisfied",
    help: "Open reclamations whose last evaluation found the gate unsatisfied.",
    labelNames: ["gate"],
  }),
});

/** What can be given to tenants, and what they have. Read from the database, too. */
const capacity = (registers: Registry[]) => ({
  hostsUsable: new Gauge({
    registers,
    name: "reclaim_hosts_usable",
    help: "Hosts that can be given to a tenant at once.",
    labelNames: ["site"],
  }),
  hostsInUse: new Gauge({
    registers,
    name: "reclaim_hosts_in_use",
    help: "Hosts that tenants have.",
    labelNames: ["site"],
  }),
  gpus: new Gauge({
    registers,
    name: "reclaim_gpus",
    help: "GPUs that agents list.",
    labelNames: ["site"],
  }),
  gpusUsable: new Gauge({
    registers,
    name: "reclaim_gpus_usable",
    help: "Of them, those in hosts that can be given to a tenant at once.",
    labelNames: ["site"],
  }),
  gpusInUse: new Gauge({
    registers,
    name: "reclaim_gpus_in_use",
    help: "Of them, those in hosts that tenants have.",
    labelNames: ["site"],
  }),
  gpusUntold: new Gauge({
    registers,
    name: "reclaim_hosts_gpus_unknown",
    help: "Hosts whose agent has not told how many GPUs they have.",
    labelNames: ["site"],
  }),
});

/** The audit log, and security events. */
const auditLog = (registers: Registry[]) => ({
  openSecurityEvents: new Gauge({
    registers,
    name: "reclaim_open_security_events",
    help: "Security events that nobody has acknowledged, by kind and severity.",
    labelNames: ["kind", "severity"],
  }),
  auditLogFaults: new Gauge({
    registers,
    name: "reclaim_audit_log_faults",
    help: "What the last check of the audit log by its own server found wrong.",
  }),
  selfAuditFaults: new Gauge({
    registers,
    name: "reclaim_self_audit_faults",
    help: "Faults of the last self-audit, of the log and of the states of hosts, that nobody has acknowledged.",
  }),
  auditLogChecked: new Gauge({
    registers,
    name: "reclaim_audit_log_checked_timestamp_seconds",
    help: "When that check was, or when the log began where there was none yet; 0: there is no log.",
  }),
  auditLogNumberingLag: new Gauge({
    registers,
    name: "reclaim_audit_log_numbering_lag_seconds",
    help: "For how long the oldest event of the audit log has waited for its number.",
  }),
  auditLogSigningLag: new Gauge({
    registers,
    name: "reclaim_audit_log_signing_lag_seconds",
    help: "For how long the oldest event of the audit log has waited for a signed checkpoint.",
  }),
});

/** One set per process; a test makes its own. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    ...lifecycle(registers),
    ...standing(registers),
    ...cleaning(registers),
    ...controller(registers),
    ...auditLog(registers),
    ...machines(registers),
    ...readFromDatabase(registers),
    ...capacity(registers),
  };
}

export type Metrics = Readonly<ReturnType<typeof createMetrics>>;
