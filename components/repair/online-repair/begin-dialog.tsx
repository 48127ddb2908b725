"use client";
// Begins an online repair: what is wrong, the risks that the tenant accepts, and what it allows if the repair fails.
import { z } from "zod";
import { useTRPCClient } from "@/components/trpc/trpc";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { useSend } from "@/components/ui/form/use-send";
import { issueCategories } from "@/server/domain/repair/health-issue";
import type { InstanceRow } from "@/server/surfaces/trpc/types";
import { IssueGroup, issueFields } from "@/components/repair/online-repair/issue-group";
import { detailsText, summaryText } from "@/components/repair/online-repair/issue-texts";

const known = (words: string) => z.boolean().refine((checked) => checked, words);

const schema = z.object({
  category: z.enum(issueCategories, { error: "Choose what is wrong" }),
  summary: summaryText,
  details: detailsText,
  deletion: z.enum(["no", "yes"], {
    error: "Choose whether the instance may be deleted if the repair fails",
  }),
  data: known("Acknowledge that data may be corrupted"),
  access: known("Acknowledge that the repair team gets access"),
  loss: known("Acknowledge that the instance may be lost"),
});

const empty = {
  category: "",
  summary: "",
  details: "",
  deletion: "",
  data: false,
  access: false,
  loss: false,
};

interface BeginDialogProps {
  row: InstanceRow;
  onClose: () => void;
  onDone: () => void;
}

function useBeginForm({ row: { id, name }, onClose, onDone }: BeginDialogProps) {
  const client = useTRPCClient();
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const form = useAppForm({
    defaultValues: empty,
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) => {
      const { category, summary, details, deletion } = schema.parse(value);
      return send(formApi, `Online repair of ${name} begun`, () =>
        client.instances.beginRepair.mutate({
          instanceId: id,
          issue: { category, summary, details },
          allowAutoInstanceDeletionOnFailure: deletion === "yes",
          // The schema requires all of them.
          acknowledgments: {
            acceptDataCorruptionRisk: true,
            acceptRepairTeamAccess: true,
            acceptInstanceDeletionRisk: true,
          },
        }),
      );
    },
  });
  return { form, problem };
}

const deletionChoices = [
  { value: "", label: "Choose" },
  { value: "no", label: "No" },
  { value: "yes", label: "Yes" },
];

const risks = [
  { name: "data", label: "The repair may corrupt data on the machine" },
  { name: "access", label: "The repair team gets access to the machine" },
  { name: "loss", label: "The instance may be lost" },
] as const;

/** Mounted anew each time it opens. */
export function BeginRepairDialog(props: BeginDialogProps) {
  const { form, problem } = useBeginForm(props);
  const {
    row: { name },
    onClose,
  } = props;
  return (
    <form.AppForm>
      <FormDialog
        title={`Begin an online repair of ${name}?`}
        consequence={
          <p>
            The tenant keeps the instance while the machine is repaired. Until the repair is ended the
            instance is Repairing, and cannot be released.
          </p>
        }
        confirmWords="Begin online repair"
        schema={schema}
        problem={problem}
        onClose={onClose}
      >
        <IssueGroup
          form={form}
          fields={issueFields}
          summaryHint="shown to the tenant"
          detailsHint="for the repair team; also shown to the tenant"
        />
        <form.AppField name="deletion">
          {(field) => (
            <field.SelectField
              label="May the instance be deleted if the repair fails?"
              hint="stored as a label; Reclaim itself deletes nothing"
              options={deletionChoices}
            />
          )}
        </form.AppField>
        {risks.map((risk) => (
          <form.AppField key={risk.name} name={risk.name}>
            {(field) => <field.CheckField label={risk.label} />}
          </form.AppField>
        ))}
      </FormDialog>
    </form.AppForm>
  );
}
