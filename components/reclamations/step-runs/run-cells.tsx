"use client";
// The cells of the step run table, for each kind of row.
import Link from "next/link";
import { Fragment, type ReactNode } from "react";
import { formatCounted, formatPercent } from "@/server/domain/numbers";
import { Breakable } from "@/components/ui/breakable";
import { Changed } from "@/components/ui/changed";
import { formatDuration, formatElapsed } from "@/components/ui/format/duration";
import { Mark } from "@/components/ui/mark";
import { Progress } from "@/components/ui/bars/progress";
import type { NarrowPlace } from "@/components/ui/table/columns";
import { useNow } from "@/components/ui/time/clock";
import { Running, Time } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";
import type { DeviceLine, DisabledStepLine, StepRunLine } from "@/server/surfaces/trpc/types";
import {
  AttemptAnswer,
  attemptCells,
  passedOverCells,
} from "@/components/reclamations/step-runs/attempt-cells";
import { Opener } from "@/components/reclamations/step-runs/opener";
import type { RunRow } from "@/components/reclamations/step-runs/run-rows";
import { disabledText, formatLimit, formatPriority } from "@/components/reclamations/step-runs/run-text";

export type RunColumnId = "name" | "result" | "facts" | "attempt" | "started" | "took" | "note";

export interface RunCell {
  readonly content: ReactNode;
  readonly title?: string;
  readonly className?: string | undefined;
  readonly narrow?: NarrowPlace | undefined;
  readonly span?: number;
}

export type RunCells = Partial<Record<RunColumnId, RunCell>>;

/** `onToggle` expands and collapses what belongs to a row: the message of a run, the attempts of a device, the full attempt. */
export function runCells(row: RunRow, onToggle: (id: string) => void): RunCells {
  switch (row.kind) {
    case "run":
      return stepCells(row.run, row.isOpen, () => onToggle(row.id));
    case "message":
      return { name: { content: <pre className="said">{row.message}</pre>, narrow: "line", span: 7 } };
    case "args":
      return {
        name: {
          content: (
            <>
              with <span className="mono text-small">{row.args}</span>
            </>
          ),
          narrow: "line",
          span: 7,
        },
      };
    case "device":
      return deviceCells(row.device, row.isOpen, () => onToggle(row.id));
    case "attempt":
      return attemptCells(row.attempt, row.isOpen, () => onToggle(row.id));
    case "answer":
      return { name: { content: <AttemptAnswer attempt={row.attempt} />, narrow: "line", span: 7 } };
    case "passedOver":
      return passedOverCells(row.passed);
    case "disabled":
      return disabledCells(row.step);
  }
}

function stepCells(run: StepRunLine, isOpen: boolean, onToggle: () => void): RunCells {
  const begun = run.status !== "planned";
  const stands = run.tone === "failed" || run.tone === "working" || run.tone === "attention";
  const limit = formatLimit(run);
  return {
    name: {
      content: (
        <Opener
          isOpen={isOpen}
          onToggle={run.message === null ? undefined : onToggle}
          what="what it said"
          className={stands ? "mono text-medium" : "mono"}
        >
          <Breakable text={run.step} />
        </Opener>
      ),
      narrow: "top-start",
    },
    result: {
      content: begun ? (
        <span className={stands ? "marked-text text-medium" : "marked-text"} data-tone={run.tone}>
          <Mark tone={run.tone} live={run.tone === "working"} />
          <Changed of={run.result} className={stands ? "tone cut" : "cut"}>
            {run.result}
          </Changed>
        </span>
      ) : (
        <span className="text-quiet">{run.result}</span>
      ),
      title: run.result,
      narrow: "bottom-start",
    },
    facts: {
      content: <RunFacts run={run} />,
      className: "text-quiet",
      narrow: run.status === "running" ? "line" : undefined,
    },
    attempt: {
      content: run.attempt === 0 ? null : `${run.attempt} of ${run.maxAttempts}`,
      className: "text-quiet",
      narrow: "bottom-end",
    },
    ...timeCells(run.startedAt, run.endedAt, begun ? null : run.expectedMs),
    note: {
      content: `${formatPriority(run)}${limit === null ? "" : `; ${limit}`}`,
      className: "text-quiet",
      title: [formatPriority(run), limit].filter((words) => words !== null).join("; "),
    },
  };
}

/** Which gates it is for, whether it restarts the host, and when a running one should end. */
function RunFacts({ run }: { run: StepRunLine }) {
  const { proves, restarts, status, expectedEndAt, deadlineAt } = run;
  const facts: ReactNode[] = [];
  if (status === "running" && expectedEndAt !== null) facts.push(<EndsAbout key="end" at={expectedEndAt} />);
  if (status === "running" && deadlineAt !== null)
    facts.push(
      <Fragment key="limit">
        limit at <Time at={deadlineAt} />
      </Fragment>,
    );
  if (proves.length > 0) facts.push(`for ${proves.join(", ")}`);
  if (restarts) facts.push("restarts the host");
  return facts.map((fact, index) => (
    <Fragment key={index}>
      {index === 0 ? null : "; "}
      {fact}
    </Fragment>
  ));
}

/** As estimated by the devices; once that has passed, only the limit says when it ends. */
function EndsAbout({ at }: { at: Date }) {
  const late = useNow() > at.getTime();
  return (
    <>
      {late ? "was to end about " : "ends about "}
      <Time at={at} />
    </>
  );
}

function disabledCells({ step, source, proves, devices }: DisabledStepLine): RunCells {
  return {
    name: {
      content: (
        <span className="mono">
          <Breakable text={step} />
        </span>
      ),
      narrow: "top-start",
    },
    result: {
      content: <span className="text-quiet">{disabledText({ source })}</span>,
      title: disabledText({ source }),
      narrow: "bottom-start",
    },
    facts: {
      content: (
        <>
          {proves.length === 0 ? null : `leaves ${proves.join(", ")} unproven`}
          {devices === 0 ? null : `; ${formatCounted(devices, "device")}`}
        </>
      ),
      narrow: "line",
      span: 5,
    },
  };
}

function deviceCells(device: DeviceLine, isOpen: boolean, onToggle: () => void): RunCells {
  const failed = device.tone === "failed";
  return {
    name: {
      content: (
        <span className="marked-text">
          <Mark tone={device.tone} live={device.tone === "working"} />
          <DeviceName device={device} isOpen={isOpen} onToggle={onToggle} />
        </span>
      ),
      narrow: "top-start",
    },
    result: { content: <DeviceResult device={device} />, title: device.result, narrow: "bottom-start" },
    facts: {
      content: device.verification,
      className: device.tone === "good" ? undefined : "text-quiet",
      title: device.verification,
      narrow: device.percent === null ? undefined : "line",
    },
    attempt: { content: device.level, className: failed ? "text-quiet" : undefined },
    ...timeCells(device.startedAt, device.endedAt),
    note: {
      content: (
        <>
          <Link
            className="link"
            href={routes.drives.one(device.serial, { model: device.model })}
            aria-label={`All of drive ${device.serial}`}
            prefetch={false}
          >
            drive
          </Link>{" "}
          {device.firmware === null ? null : (
            <span className={failed ? "text-medium text-strong" : undefined}>{device.firmware}, </span>
          )}
          {device.model}
        </>
      ),
      className: "text-quiet text-compact",
    },
  };
}

function DeviceResult({ device }: { device: DeviceLine }) {
  if (device.percent === null)
    return (
      <span
        className={device.tone === "failed" ? "tone" : device.tone === "good" ? "mono" : undefined}
        data-tone={device.tone}
      >
        {device.result}
      </span>
    );
  return (
    <>
      <Progress percent={device.percent} {...(device.tone === "attention" ? { tone: device.tone } : {})} />
      <Changed of={Math.round(device.percent)}>{formatPercent(device.percent)}</Changed>
    </>
  );
}

function DeviceName({
  device,
  isOpen,
  onToggle,
}: {
  device: DeviceLine;
  isOpen: boolean;
  onToggle: () => void;
}) {
  return (
    <Opener
      isOpen={isOpen}
      onToggle={device.tries.length + device.passedOver.length === 0 ? undefined : onToggle}
      what="what was tried"
      title={device.serial}
    >
      {device.slot === null ? null : <span className="text-quiet">{device.slot} </span>}
      <span className="mono">{device.serial}</span>
    </Opener>
  );
}

/** The start time, and the duration: elapsed, so far, or expected. */
function timeCells(startedAt: Date | null, endedAt: Date | null, expectedMs: number | null = null): RunCells {
  const expected =
    expectedMs === null ? null : <span className="text-quiet">about {formatDuration(expectedMs)}</span>;
  return {
    started: { content: startedAt === null ? null : <Time at={startedAt} />, className: "text-quiet" },
    took: {
      content:
        startedAt === null ? (
          expected
        ) : endedAt === null ? (
          <Running from={startedAt} />
        ) : (
          formatElapsed(endedAt.getTime() - startedAt.getTime())
        ),
      narrow: "top-end",
    },
  };
}
