"use client";
// The frame of a dialog that does one thing: says what will happen, sends it, shows why it was refused, and closes when it was accepted.
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { problemOf } from "@/components/trpc/query-client";
import { ConfirmDialog } from "@/components/ui/dialogs/confirm-dialog";
import { Notice } from "@/components/ui/notice";
import { useSay } from "@/components/ui/toast";

interface ActDialogProps {
  title: string;
  /** What will happen, to what, and whether it can be undone. */
  consequence: ReactNode;
  confirmWords: string;
  cancelWords?: string;
  /** Sends it. What it throws is shown; the dialog stays. */
  send: () => Promise<unknown>;
  /** Said when it was accepted. */
  said: string;
  onClose: () => void;
  /** After every answer: what is shown may be old. */
  onDone: () => void;
  typeName?: string | undefined;
}

/** Mounted afresh each time it opens. */
export function ActDialog({
  title,
  consequence,
  confirmWords,
  cancelWords = "Cancel",
  send,
  said,
  onClose,
  onDone,
  typeName,
}: ActDialogProps) {
  const say = useSay();
  const act = useMutation({
    mutationFn: send,
    onSuccess: () => {
      say(said);
      onClose();
    },
    onSettled: onDone,
  });
  const problem = act.error === null ? undefined : problemOf(act.error);
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={title}
      consequence={consequence}
      confirmWords={confirmWords}
      cancelWords={cancelWords}
      busy={act.isPending}
      error={
        problem === undefined ? null : (
          <Notice tone="failed" requestId={problem.requestId}>
            {problem.words}
          </Notice>
        )
      }
      onConfirm={() => act.mutate()}
      {...(typeName === undefined ? {} : { typeName })}
    />
  );
}
