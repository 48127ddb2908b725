// A notice on the page: what happened, why, what to do; an error with the request id to copy.
import type { ReactNode } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { Mark } from "@/components/ui/mark";
import type { Tone } from "@/components/ui/tone";

interface NoticeProps {
  tone: Tone;
  children: ReactNode;
  /** The id of the failed request, which support asks for. */
  requestId?: string | undefined;
  /** A button at its end. */
  act?: ReactNode;
  /** Where an address leads to it. */
  id?: string | undefined;
}

/** Words on a wash of their tone; failed ones are announced at once. */
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
