"use client";
// A dialog for one act: states the consequence, sends it, shows why it was refused, and closes when it was accepted.
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
  /** Sends the request. If it throws, the error is shown and the dialog stays open. */
  send: () => Promise<Answer>;
  /** The toast after it was accepted. */
  said: string | ((answer: Answer) => string);
  onClose: () => void;
  /** Called after every answer, because what is shown may be stale. */
  onDone?: () => void;
  typeName?: string | undefined;
  /** An input that the act needs; `missing`: why it cannot be sent yet; `dirty`: something was typed. */
  field?: ReactNode;
  missing?: string | undefined;
  dirty?: boolean | undefined;
}

/** Mounted anew each time it opens. */
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
