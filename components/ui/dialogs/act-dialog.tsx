"use client";
// The frame of a dialog that does one thing: says what will happen, sends it, shows why it was refused, and closes when it was accepted.
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { problemOf } from "@/components/trpc/query-client";
import { ConfirmDialog } from "@/components/ui/dialogs/confirm-dialog";
import { useSay } from "@/components/ui/toast";

interface ActDialogProps<Answer> {
  title: string;
  /** What will happen, to what, and whether it can be undone. */
  consequence: ReactNode;
  confirmWords: string;
  cancelWords?: string;
  /** Sends it. What it throws is shown; the dialog stays. */
  send: () => Promise<Answer>;
  /** Said when it was accepted. */
  said: string | ((answer: Answer) => string);
  onClose: () => void;
  /** After every answer: what is shown may be old. */
  onDone?: () => void;
  typeName?: string | undefined;
  /** A field that the act needs; `missing`: why it cannot go on yet; `dirty`: something was typed. */
  field?: ReactNode;
  missing?: string | undefined;
  dirty?: boolean | undefined;
}

/** Mounted afresh each time it opens. */
export function ActDialog<Answer>({
  cancelWords = "Cancel",
  send,
  said,
  onDone,
  ...rest
}: ActDialogProps<Answer>) {
  const say = useSay();
  const act = useMutation({
    mutationFn: send,
    onSuccess: (answer) => {
      say(typeof said === "string" ? said : said(answer));
      rest.onClose();
    },
    onError: (error) => {
      const { code, words } = problemOf(error);
      if (code !== "awaitsApproval") return;
      say(words);
      rest.onClose();
    },
    onSettled: () => onDone?.(),
  });
  return (
    <ConfirmDialog
      open
      {...rest}
      cancelWords={cancelWords}
      busy={act.isPending}
      problem={act.error === null ? undefined : problemOf(act.error)}
      onConfirm={() => act.mutate()}
    />
  );
}
