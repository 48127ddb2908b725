// An attempt on a device: one line, or all of it when expanded.
import { CopyButton } from "@/components/ui/copy-button";
import { formatElapsed } from "@/components/ui/format/duration";
import { ProofTime, Time } from "@/components/ui/time/time";
import type { DeviceLine } from "@/server/surfaces/trpc/types";
import { Opener } from "@/components/reclamations/step-runs/opener";
import type { RunCells } from "@/components/reclamations/step-runs/run-cells";

type Attempt = DeviceLine["tries"][number];

/** Cut to one line. */
export function attemptCells(attempt: Attempt, isOpen: boolean, onToggle: () => void): RunCells {
  return {
    name: {
      content: (
        <Opener
          isOpen={isOpen}
          onToggle={onToggle}
          what="the command and the answer"
          className="mono text-small"
        >
          {attempt.technique}
        </Opener>
      ),
      narrow: "top-start",
    },
    result: {
      content: (
        <span className={attempt.completed ? undefined : "tone"} data-tone="failed">
          {attempt.status}
        </span>
      ),
      title: attempt.status,
      narrow: "bottom-start",
    },
    facts: { content: attempt.command, className: "mono text-small", title: attempt.command },
    attempt: {
      content: (
        <>
          <span className="narrow-label">attempt </span>
          {attempt.attempt}
        </>
      ),
      narrow: "bottom-end",
    },
    started: { content: <Time at={attempt.startedAt} /> },
    took: { content: formatElapsed(attempt.tookMs), narrow: "top-end" },
  };
}

/** A technique of the policy that the drive does not offer; nothing was sent. */
export const passedOverCells = ({ technique, why }: DeviceLine["passedOver"][number]): RunCells => ({
  name: { content: <span className="mono text-small">{technique}</span>, narrow: "top-start" },
  result: { content: "not sent", narrow: "top-end" },
  facts: { content: `the drive does not offer it: ${why}`, title: why, narrow: "line", span: 5 },
});

/** The full attempt: the command as sent, and the device's answer. */
export function AttemptAnswer({ attempt }: { attempt: Attempt }) {
  const { command, status, code, refused, exitCode } = attempt;
  const ended = new Date(attempt.startedAt.getTime() + attempt.tookMs);
  return (
    <dl className="answer">
      <dt>Command</dt>
      <dd>
        <pre className="said">{command}</pre> <CopyButton text={command} what="the command" />
      </dd>
      <dt>Status</dt>
      <dd>
        {refused === null
          ? "The device says that it completed"
          : `The device does not say that it completed: ${refused}`}
        {code === null ? null : (
          <>
            {" "}
            (<span className="mono text-small">{code}</span>)
          </>
        )}
        ; exit code {exitCode}; <ProofTime at={attempt.startedAt} /> to <ProofTime at={ended} />
      </dd>
      <dt>Output</dt>
      <dd>
        <pre className="said">{status}</pre> <CopyButton text={status} what="the output" />
      </dd>
    </dl>
  );
}
