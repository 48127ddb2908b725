"use client";
// Approve, reject and withdraw buttons of an exception; empty if this user may do none of it.
import { useState, type ReactNode } from "react";
import { DecideDialog } from "@/components/assurance/decide-dialog";
import { ExceptionFacts } from "@/components/assurance/exceptions/exception-facts";
import { formatException, goesOnText } from "@/components/assurance/exceptions/exception-text";
import { useMe } from "@/components/frame/me";
import { Button } from "@/components/ui/button";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import type { ExceptionLine } from "@/server/surfaces/trpc/types";

type Act = "approved" | "rejected" | "withdraw";

interface Asked {
  readonly act: Act;
  readonly line: ExceptionLine;
}

interface ExceptionActsProps {
  readonly line: ExceptionLine;
  readonly onAsk: (asked: Asked) => void;
}

export function ExceptionActs({ line, onAsk }: ExceptionActsProps) {
  const words = formatException(line);
  const button = (act: Act, label: string) => (
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

/** Rendered beside the list, not in the row, so that a refusal stays readable if the row disappears. */
export function useExceptionDialog(onDone: () => void): {
  readonly ask: (asked: Asked) => void;
  readonly dialog: ReactNode;
} {
  const [asked, setAsked] = useState<Asked>();
  const dialog =
    asked === undefined ? null : (
      <ExceptionDialog {...asked} onClose={() => setAsked(undefined)} onDone={onDone} />
    );
  return { ask: setAsked, dialog };
}

interface DialogProps extends Asked {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function ExceptionDialog({ act, line, ...rest }: DialogProps) {
  const me = useMe();
  return act === "withdraw" ? (
    <WithdrawDialog line={line} {...rest} />
  ) : (
    <DecideDialog
      decision={act}
      item={{ id: line.approvalId, evidence: line.evidence, words: formatException(line) }}
      about="exception"
      shows={
        <>
          {act === "approved" ? <p>{goesOnText(line.gate)}</p> : null}
          <ExceptionFacts line={line} />
        </>
      }
      askedBy={line.askedBy}
      me={me.name}
      {...rest}
    />
  );
}

/** The consequence differs for a pending and an approved exception. Pure. */
const formatWithdrawal = ({ standing, host }: Pick<ExceptionLine, "standing" | "host">): string =>
  standing === "waits"
    ? "Nobody can approve it after that. It can be asked for again."
    : `The exception is void at once. If ${host.name} is Ready because of it, the host leaves allocation and is cleaned again; if a tenant has the host, it is cleaned after its release. This cannot be undone.`;

function WithdrawDialog({ line, onClose, onDone }: Omit<DialogProps, "act">) {
  const words = formatException(line);
  return (
    <ActDialog
      reason
      title={`Withdraw the exception for ${words}?`}
      consequence={formatWithdrawal(line)}
      confirmWords="Withdraw exception"
      said={`Withdrawn: ${words}`}
      send={({ reason }, client) => client.exceptions.withdraw.mutate({ id: line.id, reason })}
      onClose={onClose}
      onDone={onDone}
    />
  );
}
