"use client";
// Step runs of a reclamation: each with its devices, and each failed device with its tries.
import { Fragment, useState, type ReactNode } from "react";
import { Changed } from "@/components/ui/changed";
import { useNow } from "@/components/ui/time/clock";
import { spanWords, tookWords } from "@/components/ui/format/duration";
import { Mark } from "@/components/ui/mark";
import { Progress } from "@/components/ui/progress";
import { Running, Time } from "@/components/ui/time/time";
import type { DeviceLine, DisabledStepLine, StepRunLine } from "@/server/surfaces/trpc/types";
import { argsWords, disabledWords, limitWords, priorityWords } from "@/components/reclamations/run-words";

interface RunsTableProps {
  runs: readonly StepRunLine[];
  /** Left out of the plan by an override. */
  disabled: readonly DisabledStepLine[];
}

/** The plan in order: what ran, what runs, what waits; after it what an override took out. */
export function RunsTable({ runs, disabled }: RunsTableProps) {
  return (
    <table className="t runs" aria-label="Step runs">
      <colgroup>
        <col className="col-run" />
        <col className="col-result" />
        <col className="col-verified" />
        <col className="col-attempt" />
        <col className="col-started" />
        <col className="col-took" />
        <col />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">Step run</th>
          <th scope="col">Result</th>
          <th scope="col">Verified, command</th>
          <th scope="col">Attempt</th>
          <th scope="col" className="r">
            Started
          </th>
          <th scope="col" className="r">
            Took
          </th>
          <th scope="col" className="tail">
            Priority; firmware, model
          </th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <RunRows key={run.id} run={run} />
        ))}
        {disabled.map((step) => (
          <DisabledRow key={step.step} step={step} />
        ))}
      </tbody>
    </table>
  );
}

function RunRows({ run }: { run: StepRunLine }) {
  const begun = run.status !== "planned";
  const stands = run.tone === "failed" || run.tone === "working" || run.tone === "attention";
  return (
    <>
      <tr className={begun ? "run" : "run off"}>
        <td data-m="a">
          <span className={stands ? "mono b" : "mono"}>{run.step}</span>
        </td>
        <td data-m="c" title={run.result}>
          {begun ? (
            <span className={stands ? "st b" : "st"} data-tone={run.tone}>
              <Mark tone={run.tone} live={run.tone === "working"} />
              <Changed of={run.result} className={stands ? "tone cut" : "cut"}>
                {run.result}
              </Changed>
            </span>
          ) : (
            <span className="n10">{run.result}</span>
          )}
        </td>
        <td className="n10" data-m={run.status === "running" ? "w" : undefined}>
          <RunFacts run={run} />
        </td>
        <td className="n10" data-m="d">
          {run.attempt === 0 ? null : `${run.attempt} of ${run.maxAttempts}`}
        </td>
        <Times
          startedAt={run.startedAt}
          endedAt={run.endedAt}
          expectedMs={run.status === "planned" ? run.expectedMs : null}
        />
        <td
          className="n10 tail"
          title={[priorityWords(run), limitWords(run)].filter((words) => words !== null).join("; ")}
        >
          {priorityWords(run)}
          {limitWords(run) === null ? null : `; ${limitWords(run)}`}
        </td>
      </tr>
      {argsWords(run) === null ? null : (
        <tr className="args">
          <td colSpan={7} data-m="w">
            with <span className="mono s">{argsWords(run)}</span>
          </td>
        </tr>
      )}
      {run.devices.map((device, index) => (
        <DeviceRows key={device.serial} device={device} last={index === run.devices.length - 1} />
      ))}
    </>
  );
}

/** What it proves, whether it restarts the host, and by when a running one ends. */
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
  if (proves.length > 0) facts.push(`proves ${proves.join(", ")}`);
  if (restarts) facts.push("restarts the host");
  return facts.map((fact, index) => (
    <Fragment key={index}>
      {index === 0 ? null : "; "}
      {fact}
    </Fragment>
  ));
}

/** By the devices' own estimates; past it only the limit says when it ends. */
function EndsAbout({ at }: { at: Date }) {
  const late = useNow() > at.getTime();
  return (
    <>
      {late ? "was to end about " : "ends about "}
      <Time at={at} />
    </>
  );
}

function DisabledRow({ step: { step, source, proves, devices } }: { step: DisabledStepLine }) {
  return (
    <tr className="run off">
      <td data-m="a">
        <span className="mono">{step}</span>
      </td>
      <td data-m="c" title={disabledWords({ source })}>
        <span className="n10">{disabledWords({ source })}</span>
      </td>
      <td data-m="w" colSpan={5}>
        {proves.length === 0 ? null : `leaves ${proves.join(", ")} unproven`}
        {devices === 0 ? null : `; ${devices === 1 ? "1 device" : `${devices} devices`}`}
      </td>
    </tr>
  );
}

/** The tries of a device are shown where something went wrong, and behind its serial where it went well. */
function DeviceRows({ device, last }: { device: DeviceLine; last: boolean }) {
  const bad = device.tone === "failed";
  const [asked, setAsked] = useState<boolean>();
  const open = asked ?? bad;
  const tries = open ? device.tries : [];
  return (
    <>
      <tr className={last && tries.length === 0 ? "dev last" : "dev"}>
        <td data-m="a">
          <span className="st">
            <Mark tone={device.tone} live={device.tone === "working"} />
            <DeviceName device={device} open={open} onToggle={() => setAsked(!open)} />
          </span>
        </td>
        <td data-m="c" title={device.result}>
          {device.percent === null ? (
            <span
              className={bad ? "tone" : device.tone === "good" ? "mono" : undefined}
              data-tone={device.tone}
            >
              {device.result}
            </span>
          ) : (
            <>
              <Progress
                percent={device.percent}
                {...(device.tone === "attention" ? { tone: device.tone } : {})}
              />
              <Changed of={Math.round(device.percent)}>{Math.round(device.percent)} %</Changed>
            </>
          )}
        </td>
        <td
          className={device.tone === "good" ? undefined : "n10"}
          data-m={device.percent === null ? undefined : "w"}
          title={device.verification}
        >
          {device.verification}
        </td>
        <td className={bad ? "n10" : undefined}>{device.level}</td>
        <Times startedAt={device.startedAt} endedAt={device.endedAt} />
        <td className="n10 c12 tail">
          {device.firmware === null ? null : (
            <span className={bad ? "b n12" : undefined}>{device.firmware}, </span>
          )}
          {device.model}
        </td>
      </tr>
      {tries.map((attempt, index) => (
        <tr
          key={index}
          className={index === tries.length - 1 ? (last ? "try last lastt" : "try lastt") : "try"}
        >
          <td data-m="a">
            <span className="mono s">{attempt.technique}</span>
          </td>
          <td
            data-m="c"
            className={attempt.completed ? undefined : "tone"}
            data-tone="failed"
            title={attempt.status}
          >
            {attempt.status}
          </td>
          <td className="mono s" title={attempt.command}>
            {attempt.command}
          </td>
          <td>attempt {attempt.attempt}</td>
          <td className="r">
            <Time at={attempt.startedAt} />
          </td>
          <td className="r" data-m="b">
            {tookWords(attempt.tookMs)}
          </td>
          <td />
        </tr>
      ))}
    </>
  );
}

/** A button where there are tries to show. */
function DeviceName({ device, open, onToggle }: { device: DeviceLine; open: boolean; onToggle: () => void }) {
  const words = (
    <>
      {device.slot === null ? null : <span className="n10">{device.slot} </span>}
      <span className="mono">{device.serial}</span>
    </>
  );
  if (device.tries.length === 0) {
    return (
      <span className="cut" title={device.serial}>
        {words}
      </span>
    );
  }
  return (
    <button
      type="button"
      className="opener bare cut"
      aria-expanded={open}
      onClick={onToggle}
      title={`${device.serial}; ${open ? "hide" : "show"} what was tried`}
    >
      {words}
    </button>
  );
}

interface TimesProps {
  startedAt: Date | null;
  endedAt: Date | null;
  /** Of what did not begin. */
  expectedMs?: number | null;
}

/** The cells for when it began and how long it took, runs by now, or is expected to take. */
function Times({ startedAt, endedAt, expectedMs = null }: TimesProps) {
  let took: ReactNode =
    expectedMs === null ? null : <span className="n10">about {spanWords(expectedMs)}</span>;
  if (startedAt !== null)
    took =
      endedAt === null ? <Running from={startedAt} /> : tookWords(endedAt.getTime() - startedAt.getTime());
  return (
    <>
      <td className="r n10">{startedAt === null ? null : <Time at={startedAt} />}</td>
      <td className="r" data-m="b">
        {took}
      </td>
    </>
  );
}
