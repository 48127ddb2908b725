"use client";
// Ends a notice: what it announced is done, or will not happen.
import { z } from "zod";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { noticeEnds, type NoticeEnd } from "@/server/domain/break-fix/notice";
import type { NoticeRow } from "@/server/surfaces/trpc/types";

const endText: Record<NoticeEnd, string> = { done: "Done", cancelled: "Cancelled" };
const options = noticeEnds.map((value) => ({ value, label: endText[value] }));
const schema = z.object({ as: z.enum(noticeEnds) });

interface EndNoticeDialogProps {
  readonly notice: NoticeRow;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export const EndNoticeDialog = ({ notice: { ref }, ...rest }: EndNoticeDialogProps) => (
  <ActFormDialog
    title={`End ${ref}?`}
    consequence="Tenants no longer see it among the open notices. This cannot be undone."
    confirmWords="End notice"
    schema={schema}
    values={{ as: "done" }}
    fields={{ as: { label: "Why", options } }}
    send={({ as }, client) => client.notices.end.mutate({ notice: ref, as })}
    said={`${ref} is ended.`}
    {...rest}
  />
);
