"use client";
// The release after a failed online repair, prefilled with the issue that the repair was for.
import { useState } from "react";
import { z } from "zod";
import { useTRPCClient } from "@/components/trpc/trpc";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { useSend } from "@/components/ui/form/use-send";
import { issueCategories } from "@/server/domain/repair/health-issue";
import type { InstanceRow } from "@/server/surfaces/trpc/types";
import { IssueGroup, issueFields } from "@/components/repair/online-repair/issue-group";
import { detailsOrNone, summaryText } from "@/components/repair/online-repair/issue-texts";

const schema = z.object({
  failureReason: z.string().trim().max(255, "At most 255 characters"),
  category: z.enum(issueCategories, { error: "Choose what is wrong" }),
  summary: summaryText,
  details: detailsOrNone,
});

interface EscalateDialogProps {
  row: InstanceRow;
  onClose: () => void;
  onDone: () => void;
}

function useEscalateForm({ row, onClose, onDone }: EscalateDialogProps) {
  const { id, name } = row;
  const client = useTRPCClient();
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  // The state at opening: a refresh of the page must not overwrite what was typed.
  const [defaultValues] = useState(() => {
    const issue = row.onlineRepair.active?.issue;
    return {
      failureReason: "",
      category: String(issue?.category ?? ""),
      summary: issue?.summary ?? "",
      details: issue?.details ?? "",
    };
  });
  const form = useAppForm({
    defaultValues,
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) => {
      const { failureReason, ...issue } = schema.parse(value);
      return send(formApi, `Release of ${name} accepted`, () =>
        client.instances.escalateRepair.mutate({
          instanceId: id,
          issue,
          ...(failureReason === "" ? {} : { failureReason }),
        }),
      );
    },
  });
  return { form, problem };
}

/** Mounted anew each time it opens. */
export function EscalateDialog(props: EscalateDialogProps) {
  const { form, problem } = useEscalateForm(props);
  const {
    row: { name },
    onClose,
  } = props;
  return (
    <form.AppForm>
      <FormDialog
        title={`Escalate ${name} to a full repair?`}
        consequence={
          <p>
            The online repair is ended and the instance released: the machine is shut off from the
            tenant&rsquo;s network, and everything on its drives is erased. Nobody gets the machine until it
            has been checked. This cannot be undone.
          </p>
        }
        confirmWords={`Release ${name}`}
        schema={schema}
        problem={problem}
        typeName={name}
        onClose={onClose}
      >
        <form.AppField name="failureReason">
          {(field) => (
            <field.TextField
              label="Why the online repair failed"
              aside="optional"
              hint="stored as a label of the instance; empty: the summary"
              maxLength={255}
            />
          )}
        </form.AppField>
        <IssueGroup form={form} fields={issueFields} detailsAside="optional" />
      </FormDialog>
    </form.AppForm>
  );
}
