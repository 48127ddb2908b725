"use client";
// Changes the times or texts of a standing notice, or ends it: what it announced is done, or will not happen.
import { useState } from "react";
import { z } from "zod";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { noticeEnds, type NoticeEnd } from "@/server/domain/break-fix/notice";
import type { NoticeRow } from "@/server/surfaces/trpc/types";
import { messageText, momentText, noteText, noticeSpecs } from "@/components/break-fix/notices/notice-text";
import { typedMoment } from "@/components/ui/form/schemas";

const schema = z.object({
  startsAt: typedMoment.refine((at) => at !== null, "Enter when it begins"),
  endsAt: typedMoment,
  message: messageText,
  note: noteText,
});
type Change = z.output<typeof schema>;

const isSame = (a: Date | null, b: Date | null) => a?.getTime() === b?.getTime();

/** Sends changed fields only. Time fields drop the seconds that a notice may have, so resending them all would change it. Pure. */
const changesOf = ({ startsAt, endsAt, message, note }: Change, before: Change) => ({
  ...(isSame(startsAt, before.startsAt) || startsAt === null ? {} : { startsAt }),
  ...(isSame(endsAt, before.endsAt) ? {} : { endsAt }),
  ...(message === before.message ? {} : { message }),
  ...(note === before.note ? {} : { note }),
});

interface NoticeDialogProps {
  readonly notice: NoticeRow;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function ChangeNoticeDialog({ notice, ...rest }: NoticeDialogProps) {
  const [before] = useState(() => ({
    startsAt: momentText(notice.startsAt),
    endsAt: momentText(notice.endsAt),
    message: notice.message,
    note: notice.note,
  }));
  return (
    <ActFormDialog
      title={`Change ${notice.ref}`}
      consequence="Tenants see the new version from now on, and must acknowledge it again if its times or its text changed."
      confirmWords="Change notice"
      edits
      schema={schema}
      values={before}
      fields={{
        startsAt: { label: "From", type: "datetime-local" },
        endsAt: { label: "Until", aside: "empty: permanent", type: "datetime-local" },
        ...noticeSpecs,
      }}
      send={(input, client) =>
        client.notices.change.mutate({
          notice: notice.ref,
          ...changesOf(input, schema.parse(before)),
        })
      }
      said={`${notice.ref} is changed.`}
      {...rest}
    />
  );
}

const endText: Record<NoticeEnd, string> = { done: "Done", cancelled: "Cancelled" };
const endOptions = noticeEnds.map((value) => ({ value, label: endText[value] }));
const endSchema = z.object({ as: z.enum(noticeEnds) });

export const EndNoticeDialog = ({ notice: { ref }, ...rest }: NoticeDialogProps) => (
  <ActFormDialog
    title={`End ${ref}?`}
    consequence="Tenants no longer see it among the open notices. This cannot be undone."
    confirmWords="End notice"
    schema={endSchema}
    values={{ as: "done" }}
    fields={{ as: { label: "Why", options: endOptions } }}
    send={({ as }, client) => client.notices.end.mutate({ notice: ref, as })}
    said={`${ref} is ended.`}
    {...rest}
  />
);
