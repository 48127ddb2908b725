// `/metrics`, `/livez` and `/readyz`: for Prometheus and for whatever runs the process (docs/operations.md#monitoring).
import type { FastifyInstance, FastifyRequest } from "fastify";
import { bearerToken, isSameToken } from "@/server/domain/access/tokens";
import { isProvisioningAddress } from "@/server/agents/boot/provisioning-networks";
import type { Metrics } from "@/server/metrics/registry";
import type { HotPool } from "@/server/usecases/backend";
import {
  auditLogTrouble,
  databaseTrouble,
  type ProcessTrouble,
} from "@/server/usecases/database/database-trouble";
import { readMetricCounts } from "@/server/usecases/fleet/metric-counts";
import { sendProblem } from "@/server/surfaces/machine/http/problems";

const countsAgeMs = 1_000;

export interface MetricsRouteDeps {
  readonly pool: HotPool;
  readonly metrics: Metrics;
  readonly metricsToken: string | undefined;
  /** Null if this process has no controller, or its loop is alive; otherwise why it is not. */
  readonly controllerTrouble: () => ProcessTrouble | null;
  /** Why no host is allocated; null: hosts are allocated. */
  readonly allocationStopped?: () => string | null;
  readonly now: () => number;
}

function mayRead(request: FastifyRequest, token: string | undefined): boolean {
  if (isProvisioningAddress(request.clientAddress, ["loopback"])) return true;
  const given = bearerToken(request.headers.authorization);
  return token !== undefined && given !== null && isSameToken(given, token);
}

async function setGauges(pool: HotPool, metrics: Metrics): Promise<void> {
  const {
    hosts,
    standings,
    due,
    gates,
    overdue,
    alerted,
    leased,
    brakes,
    securityEvents,
    checked,
    checkedAt,
    logLag,
    use,
    firmware,
    measured,
  } = await readMetricCounts(pool);
  for (const gauge of [
    metrics.hosts,
    metrics.hostsAboveSla,
    metrics.hostsByStanding,
    metrics.hostsOverdue,
    metrics.hostsAlerted,
    metrics.brakes,
    metrics.firmwareUpdates,
    metrics.hostsMeasured,
    metrics.repairLeases,
    metrics.repairLeasesOverdue,
    metrics.gatesUnsatisfied,
    metrics.openSecurityEvents,
    metrics.hostsUsable,
    metrics.hostsInUse,
    metrics.gpus,
    metrics.gpusUsable,
    metrics.gpusInUse,
    metrics.gpusUntold,
  ])
    gauge.reset();
  for (const row of hosts) {
    metrics.hosts.set({ state: row.state, site: row.site }, row.hosts);
    metrics.hostsAboveSla.set({ state: row.state, site: row.site }, row.above);
  }
  for (const { standing, ready, site, hosts: count } of standings)
    metrics.hostsByStanding.set({ standing, ready: String(ready), site }, count);
  for (const row of gates) metrics.gatesUnsatisfied.set({ gate: row.gate }, row.reclamations);
  for (const { kind, severity, events } of securityEvents)
    metrics.openSecurityEvents.set({ kind, severity }, events);
  for (const row of overdue) metrics.hostsOverdue.set({ site: row.site }, row.hosts);
  for (const row of alerted) metrics.hostsAlerted.set({ site: row.site }, row.hosts);
  for (const row of leased) {
    metrics.repairLeases.set({ site: row.site }, row.hosts);
    metrics.repairLeasesOverdue.set({ site: row.site }, row.overdue);
  }
  for (const row of brakes) {
    metrics.brakes.set({ site: row.site, state: "on" }, row.on);
    metrics.brakes.set({ site: row.site, state: "asks" }, row.asking);
  }
  for (const { site, state, hosts: count } of measured) metrics.hostsMeasured.set({ site, state }, count);
  for (const { site, ...counts } of firmware)
    for (const [state, count] of Object.entries(counts)) metrics.firmwareUpdates.set({ site, state }, count);
  setUse(metrics, use);
  metrics.auditLogFaults.set(checked?.logFaults ?? 0);
  metrics.selfAuditFaults.set(checked?.open ?? 0);
  metrics.auditLogChecked.set((checkedAt?.getTime() ?? 0) / 1_000);
  metrics.auditLogNumberingLag.set(logLag.numbering);
  metrics.auditLogSigningLag.set(logLag.signing);
  metrics.hostsDue.set(due.hosts);
  metrics.queueLag.set(due.lagSeconds);
}

/** How many hosts and GPUs tenants can have and do have, by site. */
function setUse(metrics: Metrics, use: Awaited<ReturnType<typeof readMetricCounts>>["use"]): void {
  for (const {
    site,
    hosts: { usable, used, untold },
    gpus,
  } of use) {
    metrics.hostsUsable.set({ site }, usable);
    metrics.hostsInUse.set({ site }, used);
    metrics.gpus.set({ site }, gpus.total);
    metrics.gpusUsable.set({ site }, gpus.usable);
    metrics.gpusInUse.set({ site }, gpus.used);
    metrics.gpusUntold.set({ site }, untold);
  }
}

export function metricsRoutes(app: FastifyInstance, deps: MetricsRouteDeps): void {
  let counted = { at: -Infinity, work: Promise.resolve() };

  app.get("/metrics", async (request, reply) => {
    if (!mayRead(request, deps.metricsToken)) return sendProblem(reply, { code: "unauthorized" });
    if (deps.now() - counted.at >= countsAgeMs) {
      const work = setGauges(deps.pool, deps.metrics);
      counted = { at: deps.now(), work };
      work.catch(() => {
        if (counted.work === work) counted = { at: -Infinity, work: Promise.resolve() };
      });
    }
    await counted.work;
    return reply.type(deps.metrics.registry.contentType).send(await deps.metrics.registry.metrics());
  });

  /** If this does not answer, restarting the process helps. */
  app.get("/livez", async (_request, reply) => reply.send({ alive: true }));

  /** Whether to send requests here. `restart`: whether restarting the process may help; `npm start` relies on it (scripts/supervise/health.mjs). */
  app.get("/readyz", async (_request, reply) => {
    const [database, controller] = [await databaseTrouble(deps.pool), deps.controllerTrouble()];
    const ready = database === null && controller === null;
    // Without a database nothing works, and its own diagnosis counts more than the consequences.
    const restart = database === null ? controller?.restart === true : database.restart;
    // A stopped allocation is resumed through the API, so a process that serves the API is ready. So it is while the audit log is behind: taking
    // all processes away from people would repair neither.
    const allocation = deps.allocationStopped?.() ?? "ok";
    const auditLog = database === null ? await auditLogTrouble(deps.pool) : "unknown";
    return reply.code(ready ? 200 : 503).send({
      ready,
      degraded: !ready || allocation !== "ok" || auditLog !== null,
      restart,
      checks: {
        database: database?.message ?? "ok",
        controller: controller?.message ?? "ok",
        allocation,
        auditLog: auditLog ?? "ok",
      },
    });
  });
}
