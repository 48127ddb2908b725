"use client";
// Confirms an act: states the consequence and names the thing; a dangerous act requires typing the name.
import { useState, type FormEvent, type ReactNode } from "react";
import { Refused } from "@/components/trpc/problem-notice";
import type { Problem } from "@/components/trpc/query-client";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialogs/dialog";
import { Field, TextInput } from "@/components/ui/form/controls";

interface ConfirmDialogProps {
  open: boolean;
  onClose: () => void;
  /** A question: "Release i-7f3a09c2?". */
  title: string;
  /** What will happen, to what, and whether it can be undone. */
  consequence: ReactNode;
  /** A verb with its object: "Release 3 instances". */
  confirmWords: string;
  /** The label for not doing it: "Keep the host". */
  cancelWords: string;
  onConfirm: () => void;
  busy: boolean;
  /** Something was typed. */
  dirty?: boolean | undefined;
  /** Why the server refused the last attempt. */
  problem?: Pick<Problem, "words" | "requestId"> | undefined;
  /** Set for a dangerous act: the name to type. */
  typeName?: string | undefined;
  /** An input that the act needs, such as a reason. */
  field?: ReactNode;
  /** Why it cannot be confirmed yet, such as an empty field. */
  missing?: string | undefined;
}

/** Mounted anew each time it opens, so that a typed name is not kept. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Dialog open={props.open} onClose={props.onClose} title={props.title} dirty={props.dirty}>
      <ConfirmForm {...props} />
    </Dialog>
  );
}

function ConfirmForm({
  onClose,
  consequence,
  confirmWords,
  cancelWords,
  onConfirm,
  busy,
  problem,
  typeName,
  field,
  missing: missingField,
}: ConfirmDialogProps) {
  const [typed, setTyped] = useState("");
  const missing =
    missingField ??
    (typeName !== undefined && typed !== typeName ? `Type ${typeName} to confirm` : undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (missing === undefined && !busy) onConfirm();
  };
  return (
    <form onSubmit={submit}>
      <div className="consequence">
        {typeof consequence === "string" ? <p>{consequence}</p> : consequence}
      </div>
      {field}
      {typeName === undefined ? null : (
        <Field label={`Type ${typeName} to confirm`}>
          {(aria) => <TextInput aria={aria} mono value={typed} onChange={setTyped} />}
        </Field>
      )}
      {problem === undefined ? null : (
        <div className="error">
          <Refused problem={problem} />
        </div>
      )}
      <div className="acts">
        <Button onClick={onClose}>{cancelWords}</Button>
        <Button
          type="submit"
          kind={typeName === undefined ? "main" : "danger"}
          disabledReason={missing}
          busy={busy}
        >
          {confirmWords}
        </Button>
      </div>
    </form>
  );
}
