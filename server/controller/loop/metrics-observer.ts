// Reports the controller's work as metrics and log lines.
import type { Logger } from "pino";
import type { Metrics } from "@/server/metrics/registry";
import { causeOf } from "@/server/domain/lifecycle/states";
import type { ControllerObserver } from "@/server/controller/loop/observer";
import { standingAtEnd } from "@/server/controller/loop/commit-rows";
import type { Decided } from "@/server/controller/loop/commit-rows";

export function metricsObserver(metrics: Metrics, logger: Logger): ControllerObserver {
  return {
    handled: (lateMs) => metrics.signalToHandler.observe(lateMs / 1000),
    pass: ({ claimed, ms }) => {
      metrics.claimed.inc(claimed);
      metrics.loop.observe(ms / 1000);
    },
    commit: (result) => metrics.commits.inc({ result }),
    written: (item) => {
      countTransitions(metrics, logger, item);
      countEnded(metrics, item);
      countCleaning(metrics, item);
      for (const refused of item.decision.refused)
        logger.warn({ hostId: item.view.run.hostId, ...refused }, "an intent could not be followed");
    },
    effect: ({ kind, hostId, status, ms, message }) => {
      metrics.effects.inc({ kind, result: status });
      metrics.effectDuration.observe({ kind }, ms / 1000);
      if (status !== "done")
        logger.warn(
          { hostId, effect: kind, status, message, ms: Math.round(ms) },
          "an effect did not succeed",
        );
    },
    lostFence: (hostId) => {
      metrics.lostFences.inc();
      logger.warn({ hostId }, "a decision was thrown away: the lease was lost, or evidence moved");
    },
    error: (message, error) => logger.error({ err: error }, message),
  };
}

/** Each with what it proved, also one that makes room for another. */
function countEnded(metrics: Metrics, item: Decided): void {
  const { endedBefore, reclamation } = item.decision;
  if (endedBefore !== null)
    metrics.reclamationsEnded.inc({
      standing: standingAtEnd(item, { kind: "", outcome: endedBefore.outcome }),
    });
  if (reclamation !== null && reclamation.outcome !== null)
    metrics.reclamationsEnded.inc({
      standing: standingAtEnd(item, { kind: reclamation.row.kind, outcome: reclamation.outcome }),
    });
}

function countTransitions(metrics: Metrics, logger: Logger, { view, decision }: Decided): void {
  const { hostId, name } = view.run;
  const reclamationId = decision.run.reclamationId;
  let state: string = view.run.state;
  let sinceMs = view.run.stateSinceMs;
  for (const row of decision.entered) {
    metrics.transitions.inc({ state: row.state });
    metrics.timeInState.observe({ state, next: row.state }, Math.max(0, view.nowMs - sinceMs) / 1000);
    const cause = causeOf(row.state);
    if (cause !== null) {
      metrics.failures.inc({ cause });
      logger.warn(
        {
          hostId,
          name,
          reclamationId,
          requestId: decision.reclamation?.row.requestId ?? view.reclamation?.requestId ?? null,
          cause,
          message: row.reason,
        },
        "a host failed",
      );
    } else {
      logger.debug({ hostId, name, reclamationId, state: row.state, reason: row.reason }, "a host went on");
    }
    state = row.state;
    sinceMs = view.nowMs;
  }
  const outcome = decision.reclamation?.outcome ?? null;
  const row = decision.reclamation?.row;
  if (outcome !== null && row !== undefined) {
    metrics.reclamationDuration.observe(
      { outcome, sku: view.host.sku?.name ?? "none" },
      (view.nowMs - row.startedAtMs) / 1000,
    );
    logger.info(
      {
        hostId,
        name,
        reclamationId: row.id,
        requestId: row.requestId,
        kind: row.kind,
        outcome,
        ms: view.nowMs - row.startedAtMs,
      },
      "a reclamation ended",
    );
  }
  const boot = view.run.context.boot;
  if (boot !== null && decision.run.context.boot === null) metrics.rebootAttempts.observe(boot.attempt);
}

function countCleaning(metrics: Metrics, { view, decision }: Decided): void {
  for (const attempt of decision.attempts) {
    if (!attempt.ended) continue;
    const step =
      decision.steps.find((row) => row.id === attempt.stepRunId) ??
      view.steps.find((row) => row.id === attempt.stepRunId);
    if (step === undefined) continue;
    metrics.stepRuns.inc({ interface: step.interface, step: step.step, result: attempt.verdict ?? "lost" });
    if (step.startedAtMs !== null)
      metrics.stepDuration.observe(
        { interface: step.interface, step: step.step },
        Math.max(0, view.nowMs - step.startedAtMs) / 1000,
      );
  }
  for (const device of decision.deviceResults)
    metrics.devices.inc({
      media: device.media,
      technique: device.report.technique ?? "none",
      result: device.verdict,
    });
}
