"use client";
// Changes the times or texts of a standing notice.
import { useState } from "react";
import { z } from "zod";
import { useTRPCClient } from "@/components/trpc/trpc";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { useSend } from "@/components/ui/form/use-send";
import type { NoticeRow } from "@/server/surfaces/trpc/types";
import { NoticeTexts } from "@/components/break-fix/notices/notice-texts";
import { messageText, momentText, noteText } from "@/components/break-fix/notices/notice-text";
import { typedMoment } from "@/components/ui/form/schemas";

const schema = z.object({
  startsAt: typedMoment.refine((at) => at !== null, "Enter when it begins"),
  endsAt: typedMoment,
  message: messageText,
  note: noteText,
});
type Texts = z.input<typeof schema>;

/** Sends changed fields only. Time fields drop the seconds that a notice may have, so resending them all would change it. Pure. */
function changesOf(texts: Texts, before: Texts) {
  const { startsAt, endsAt, message, note } = schema.parse(texts);
  return {
    ...(texts.startsAt === before.startsAt || startsAt === null ? {} : { startsAt }),
    ...(texts.endsAt === before.endsAt ? {} : { endsAt }),
    ...(message === before.message ? {} : { message }),
    ...(note === before.note ? {} : { note }),
  };
}

interface ChangeNoticeDialogProps {
  readonly notice: NoticeRow;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function useChangeForm({ notice, onDone, onClose }: ChangeNoticeDialogProps) {
  const client = useTRPCClient();
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const [before] = useState((): Texts => ({
    startsAt: momentText(notice.startsAt),
    endsAt: momentText(notice.endsAt),
    message: notice.message,
    note: notice.note,
  }));
  const form = useAppForm({
    defaultValues: before,
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) =>
      send(formApi, `${notice.ref} is changed.`, () =>
        client.notices.change.mutate({ notice: notice.ref, ...changesOf(value, before) }),
      ),
  });
  return { form, problem };
}

export function ChangeNoticeDialog(props: ChangeNoticeDialogProps) {
  const { form, problem } = useChangeForm(props);
  return (
    <form.AppForm>
      <FormDialog
        title={`Change ${props.notice.ref}`}
        consequence={
          <p>
            Tenants see the new version from now on, and must acknowledge it again if its times or its text
            changed.
          </p>
        }
        confirmWords="Change notice"
        schema={schema}
        edits
        problem={problem}
        onClose={props.onClose}
      >
        <form.AppField name="startsAt">
          {(field) => <field.TextField label="From" type="datetime-local" />}
        </form.AppField>
        <form.AppField name="endsAt">
          {(field) => <field.TextField label="Until" aside="empty: permanent" type="datetime-local" />}
        </form.AppField>
        <NoticeTexts form={form} fields={{ message: "message", note: "note" }} />
      </FormDialog>
    </form.AppForm>
  );
}
