"use client";
// Verifies the whole log, read from the server or from a folder written by `reclaim audit export`.
import { useEffect, useRef, useState } from "react";
import { saveFile } from "@/components/ui/save-file";
import { Faults } from "@/components/audit-log/verify/faults";
import { Progress } from "@/components/ui/bars/progress";
import { Button } from "@/components/ui/button";
import { formatCount, formatCounted } from "@/server/domain/numbers";
import { Notice } from "@/components/ui/notice";
import type { Policy } from "@/server/domain/audit-log/policy";
import {
  readAheadOfServer,
  type ReadLogFile,
  type VerifiedLog,
  verifyLog,
} from "@/server/domain/audit-log/verify-log";
import { fromFolder, fromServer } from "@/components/audit-log/verify/log-sources";
import { parseCheckpoint } from "@/server/domain/audit-log/checkpoint";

// One verification of the whole log at a time: its progress, its result, and how to stop it.
type LogCheckState =
  | { readonly at: "none" }
  /** `size` is null until the checkpoint has been read. */
  | { readonly at: "reading"; readonly entries: number; readonly size: number | null }
  | { readonly at: "done"; readonly verified: VerifiedLog }
  /** It did not finish, so it says nothing about the log. */
  | { readonly at: "stopped"; readonly why: string };

/** Minimum time between progress updates; small logs finish sooner. */
const showEveryMs = 200;

/** Reports the log size as the checkpoint is read. */
const withSize =
  (read: ReadLogFile, tell: (size: number) => void): ReadLogFile =>
  async (path) => {
    const bytes = await read(path);
    const size =
      path === "checkpoint" && bytes !== null
        ? parseCheckpoint(Buffer.from(bytes).toString("utf8"))?.size
        : undefined;
    if (size !== undefined) tell(size);
    return bytes;
  };

async function runCheck(
  read: ReadLogFile,
  { policy, kept }: { readonly policy: Policy; readonly kept: string },
  show: (state: LogCheckState) => void,
): Promise<void> {
  let size: number | null = null;
  let shownAt = 0;
  show({ at: "reading", entries: 0, size });
  try {
    const verified = await verifyLog(
      withSize(read, (told) => {
        size = told;
      }),
      {
        policy,
        readAhead: readAheadOfServer,
        kept: kept.trim() === "" ? [] : [`${kept.trim()}\n`],
        progress: (entries) => {
          const now = Date.now();
          if (now - shownAt < showEveryMs) return;
          shownAt = now;
          show({ at: "reading", entries, size });
        },
      },
    );
    show({ at: "done", verified });
  } catch (error) {
    show({ at: "stopped", why: error instanceof Error ? error.message : String(error) });
  }
}

function useLogCheck(policy: Policy | null, kept: string) {
  const [state, setState] = useState<LogCheckState>({ at: "none" });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const start = (files: readonly File[] | null) => {
    if (policy === null) return;
    running.current?.abort();
    const ended = new AbortController();
    running.current = ended;
    const read = files === null ? fromServer(ended.signal) : fromFolder(files, ended.signal);
    // Ignore updates from a check that has been replaced.
    void runCheck(read, { policy, kept }, (shown) => {
      if (running.current === ended) setState(shown);
    });
  };
  return { state, start, stop: () => running.current?.abort() };
}

interface CheckLogProps {
  /** Null if the text is neither keys nor a policy. */
  readonly policy: Policy | null;
  readonly kept: string;
}

export function CheckLog({ policy, kept }: CheckLogProps) {
  const { state, start, stop } = useLogCheck(policy, kept);
  const folder = useRef<HTMLInputElement>(null);
  const whyNot = policy === null ? "The keys that you trust cannot be read." : undefined;
  const busy = state.at === "reading";
  return (
    <section aria-label="Check the log">
      <div className="sec">
        <h2>The whole log</h2>
        <span className="sum cut">every event, hash and signature, checked in this browser</span>
      </div>
      <div className="audit-acts">
        <Button kind="main" disabledReason={whyNot} busy={busy} onClick={() => start(null)}>
          Check this log
        </Button>
        <Button disabledReason={whyNot} busy={busy} onClick={() => folder.current?.click()}>
          Check an exported folder…
        </Button>
        {busy ? <Button onClick={stop}>Stop</Button> : null}
        <input
          ref={(input) => {
            // Lets the input select a folder; React has no prop for this attribute.
            input?.setAttribute("webkitdirectory", "");
            folder.current = input;
          }}
          type="file"
          hidden
          aria-label="Folder of an exported log"
          onChange={(event) => {
            const files = [...(event.target.files ?? [])];
            event.target.value = "";
            if (files.length > 0) start(files);
          }}
        />
      </div>
      <State state={state} />
    </section>
  );
}

function State({ state }: { state: LogCheckState }) {
  switch (state.at) {
    case "none":
      return null;
    case "reading":
      return (
        <p role="status">
          <Progress
            percent={state.size === null ? 0 : (100 * state.entries) / Math.max(1, state.size)}
            widthPx={160}
          />{" "}
          {state.size === null
            ? "Reading the checkpoint…"
            : `${formatCount(state.entries)} of ${formatCounted(state.size, "event")}`}
        </p>
      );
    case "stopped":
      return <Notice tone="attention">The check did not finish, so there is no result. {state.why}</Notice>;
    case "done":
      return <Verdict verified={state.verified} />;
  }
}

function Verdict({ verified }: { verified: VerifiedLog }) {
  const { faults, more, size, origin, signer, witnesses, checkpoint } = verified;
  if (faults.length > 0)
    return (
      <>
        <Notice tone="failed">
          The log was changed or is incomplete: {more ? "at least " : ""}
          {formatCounted(faults.length, "fault")}. Keep a copy of it as it is:{" "}
          <code className="mono">reclaim audit export</code>.
        </Notice>
        <Faults caption="Faults of the log" faults={faults} />
      </>
    );
  return (
    <>
      <Notice tone={signer === null ? "attention" : "good"}>
        {formatCounted(size, "event")} of {origin ?? "a log without a name"}: each is unchanged and in its
        place.{" "}
        {signer === null
          ? "The log is consistent, but the signer is unknown: enter the keys that you trust."
          : `Signed by ${signer.name}, key ${signer.id}.`}
        {witnesses.map((name) => ` Cosigned by ${name}.`).join("")}
      </Notice>
      {checkpoint === null ? null : (
        <p className="audit-acts">
          <Button small onClick={() => saveFile(`reclaim-${size}.checkpoint`, checkpoint)}>
            Download checkpoint
          </Button>
          <span className="text-quiet">
            Keep it: with it, the next check proves that the log has not been rewritten.
          </span>
        </p>
      )}
    </>
  );
}
