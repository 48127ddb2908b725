"use client";
// Approve, reject and withdraw buttons of a request that another person decides on, and the dialog that they open.
import { useState, type ReactNode } from "react";
import { Button } from "@/components/ui/button";
import type { Decision } from "@/server/domain/assurance/approvals/approval";

/** The act that was started, and what it is about. */
export interface StartedAct<Line> {
  readonly act: Decision | "withdraw";
  readonly line: Line;
}

interface ApprovalActsProps<Line> {
  readonly line: Line;
  /** What is decided on. */
  readonly words: string;
  readonly onAsk: (started: StartedAct<Line>) => void;
}

/** Empty if this user may do none of it. */
export function ApprovalActs<Line extends { readonly mayDecide: boolean; readonly mayWithdraw: boolean }>({
  line,
  words,
  onAsk,
}: ApprovalActsProps<Line>) {
  const button = (act: StartedAct<Line>["act"], label: string) => (
    <Button small onClick={() => onAsk({ act, line })} aria-label={`${label} ${words}`}>
      {label}
    </Button>
  );
  return (
    <span className="row-acts">
      {line.mayDecide ? button("approved", "Approve…") : null}
      {line.mayDecide ? button("rejected", "Reject…") : null}
      {line.mayWithdraw ? button("withdraw", "Withdraw…") : null}
    </span>
  );
}

/** The dialog is rendered beside the list, not in the row, so that a refusal stays readable if the row disappears. */
export function useApprovalDialog<Line>(
  dialogOf: (started: StartedAct<Line> & { readonly onClose: () => void }) => ReactNode,
) {
  const [started, ask] = useState<StartedAct<Line>>();
  const dialog = started === undefined ? null : dialogOf({ ...started, onClose: () => ask(undefined) });
  return { ask, dialog };
}
