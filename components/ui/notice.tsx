// A notice on the page: what happened, why, what to do; an error also has its request id to copy.
import type { ReactNode } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { Mark } from "@/components/ui/mark";
import type { Tone } from "@/components/ui/tone";

interface NoticeProps {
  tone: Tone;
  children: ReactNode;
  /** The id of the failed request, for support. */
  requestId?: string | undefined;
  /** A button at its end. */
  act?: ReactNode;
  /** Anchor for links to it. */
  id?: string | undefined;
}

/** Text on a background of its tone; failures are announced to screen readers at once. */
export function Notice({ tone, children, requestId, act, id }: NoticeProps) {
  return (
    <div id={id} className="notice" data-tone={tone} role={tone === "failed" ? "alert" : "status"}>
      <Mark tone={tone} label="" />
      <span>
        {children}
        {requestId === undefined ? null : (
          <>
            {" "}
            <span className="mono text-small">{requestId}</span>{" "}
            <CopyButton text={requestId} what="the request id" />
          </>
        )}
      </span>
      {act === undefined ? null : <span className="act">{act}</span>}
    </div>
  );
}
