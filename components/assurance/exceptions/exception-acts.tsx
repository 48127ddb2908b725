"use client";
// Approve, reject and withdraw buttons of an exception; empty if this user may do none of it.
import { ApprovalActs, useApprovalDialog, type StartedAct } from "@/components/assurance/approval-acts";
import { DecideDialog } from "@/components/assurance/decide-dialog";
import { ExceptionFacts } from "@/components/assurance/exceptions/exception-facts";
import { formatException, goesOnText } from "@/components/assurance/exceptions/exception-text";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import type { ExceptionLine } from "@/server/surfaces/trpc/types";

type OnAsk = (started: StartedAct<ExceptionLine>) => void;

export const ExceptionActs = (props: { readonly line: ExceptionLine; readonly onAsk: OnAsk }) => (
  <ApprovalActs {...props} words={formatException(props.line)} />
);

export const useExceptionDialog = (onDone: () => void) =>
  useApprovalDialog<ExceptionLine>((started) => <ExceptionDialog {...started} onDone={onDone} />);

interface DialogProps extends StartedAct<ExceptionLine> {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function ExceptionDialog({ act, line, ...rest }: DialogProps) {
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
