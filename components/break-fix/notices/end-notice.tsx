"use client";
// Ends a notice: what it announced is done, or will not happen.
import { useState } from "react";
import { useTRPCClient } from "@/components/trpc/trpc";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { Field, Select } from "@/components/ui/form/controls";
import { noticeEnds, type NoticeEnd } from "@/server/domain/break-fix/notice";
import type { NoticeRow } from "@/server/surfaces/trpc/types";

const endText: Record<NoticeEnd, string> = { done: "Done", cancelled: "Cancelled" };
const options = noticeEnds.map((value) => ({ value, label: endText[value] }));

interface EndNoticeDialogProps {
  readonly notice: NoticeRow;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function EndNoticeDialog({ notice: { ref }, ...rest }: EndNoticeDialogProps) {
  const client = useTRPCClient();
  const [as, setAs] = useState<NoticeEnd>("done");
  return (
    <ActDialog
      title={`End ${ref}?`}
      consequence={<p>Tenants no longer see it among the open notices. This cannot be undone.</p>}
      confirmWords="End notice"
      field={
        <Field label="Why">
          {(aria) => (
            <Select
              aria={aria}
              value={as}
              options={options}
              onChange={(text) => setAs(noticeEnds.find((each) => each === text) ?? "done")}
            />
          )}
        </Field>
      }
      send={() => client.notices.end.mutate({ notice: ref, as })}
      said={`${ref} is ended.`}
      {...rest}
    />
  );
}
