"use client";
// Verifies the whole log, read from the server or from a folder written by `reclaim audit export`.
import { useRef } from "react";
import { saveFile } from "@/components/ui/save-file";
import { Faults } from "@/components/audit-log/verify/faults";
import { useLogCheck, type LogCheckState } from "@/components/audit-log/verify/use-log-check";
import { Progress } from "@/components/ui/bars/progress";
import { Button } from "@/components/ui/button";
import { formatCount, formatCounted } from "@/components/ui/format/numbers";
import { Notice } from "@/components/ui/notice";
import type { Policy } from "@/server/domain/audit-log/policy";
import type { VerifiedLog } from "@/server/domain/audit-log/verify-log";

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
