"use client";
// A repair tenant's acts on a host: claim it, note the status of its repair, and release it.
import { useState } from "react";
import { z } from "zod";
import { IssueFields, issueOf, noIssue } from "@/components/instances/issue-fields";
import { useTRPCClient } from "@/components/trpc/trpc";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { useSend } from "@/components/ui/form/use-send";
import { notedOutcomes } from "@/server/domain/repair/repairs";
import { instanceName } from "@/server/domain/instances/own-text";
import { hostLabelValue } from "@/server/domain/hosts/labels/host-labels";
import type { HeldRow, QueueRow } from "@/server/surfaces/trpc/types";

interface Closing {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const claimSchema = z.object({
  name: z.string().refine((text) => instanceName.safeParse(text).success, "Enter a name for the instance"),
});

export function ClaimDialog({
  host,
  onClose,
  onDone,
}: { readonly host: Pick<QueueRow, "host" | "hostId"> } & Closing) {
  const client = useTRPCClient();
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const [defaultValues] = useState({ name: `repair-${host.host}` });
  const form = useAppForm({
    defaultValues,
    validators: { onChange: claimSchema },
    onSubmit: ({ value, formApi }) =>
      send(formApi, `${host.host} is claimed`, () =>
        client.instances.create.mutate({
          name: value.name,
          wanted: { hostId: host.hostId, allowUnhealthy: true },
        }),
      ),
  });
  return (
    <form.AppForm>
      <FormDialog
        title={`Claim ${host.host} for repair?`}
        consequence={
          <p>
            The host is clean; it boots your image on your network. Its label <code>repair_status</code>{" "}
            becomes InProgress, and the ticket and summary of an earlier repair are removed. Nobody else gets
            it until you release it.
          </p>
        }
        confirmWords={`Claim ${host.host}`}
        schema={claimSchema}
        problem={problem}
        onClose={onClose}
      >
        <form.AppField name="name">
          {(field) => <field.TextField label="Name of the instance" autoFocus />}
        </form.AppField>
      </FormDialog>
    </form.AppForm>
  );
}

const outcomeSchema = z.object({
  outcome: z.enum(notedOutcomes, { error: "Choose the outcome" }),
  ticket: hostLabelValue,
  summary: hostLabelValue,
});

const outcomeOptions = [
  { value: "InProgress", label: "In progress" },
  { value: "Completed", label: "Completed" },
  { value: "Failed", label: "Failed" },
];

export function OutcomeDialog({ row, onClose, onDone }: { readonly row: HeldRow } & Closing) {
  const client = useTRPCClient();
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const [defaultValues] = useState(() => ({
    outcome: row.outcome === "completed" ? "Completed" : row.outcome === "failed" ? "Failed" : "InProgress",
    ticket: row.ticket ?? "",
    summary: row.note ?? "",
  }));
  const form = useAppForm({
    defaultValues,
    onSubmit: ({ value, formApi }) =>
      send(formApi, `Outcome of ${row.host} saved`, () =>
        client.repair.setOutcome.mutate({ hostId: row.hostId, ...outcomeSchema.parse(value) }),
      ),
  });
  return (
    <form.AppForm>
      <FormDialog
        title={`Outcome of ${row.host}`}
        consequence={
          <p>Stored as labels of the host. At the release, only a completed repair clears the alerts.</p>
        }
        confirmWords="Set outcome"
        schema={outcomeSchema}
        problem={problem}
        onClose={onClose}
      >
        <form.AppField name="outcome">
          {(field) => <field.SelectField label="Outcome" options={outcomeOptions} />}
        </form.AppField>
        <form.AppField name="summary">
          {(field) => <field.TextField label="Summary" aside="optional" hint="what was done" />}
        </form.AppField>
        <form.AppField name="ticket">
          {(field) => <field.TextField label="Ticket" aside="optional" mono />}
        </form.AppField>
      </FormDialog>
    </form.AppForm>
  );
}

/** What the release will do to the alerts: the completion matrix in words (docs/repair.md#what-a-repair-tenants-release-does). */
function releaseEffect({ requested, reported, outcome }: HeldRow, issue: boolean): string {
  if (issue) return "The new issue keeps the host out of allocation until somebody has checked it.";
  if (!requested)
    return reported
      ? "No repair is requested of it now: the reported issue stays until an operator removes it."
      : "No alert requests a repair of it now.";
  return outcome === "completed"
    ? "The alerts that requested the repair are removed, and the host continues to Ready."
    : "Its outcome is not Completed: the host stays out of allocation, with the alert that the repair is incomplete. Set the outcome first if it was completed.";
}

export function ReleaseRepairDialog({ row, onClose, onDone }: { readonly row: HeldRow } & Closing) {
  const client = useTRPCClient();
  const [texts, setTexts] = useState(noIssue);
  const { issue, missing } = issueOf(texts);
  return (
    <ActDialog
      title={`Release ${row.host} from repair?`}
      dirty={texts !== noIssue}
      missing={missing}
      consequence={
        <>
          <p>
            The host is shut off from your network, and everything on its drives is erased. This cannot be
            undone.
          </p>
          <p>{releaseEffect(row, issue !== null)}</p>
        </>
      }
      field={<IssueFields texts={texts} onChange={setTexts} />}
      confirmWords={`Release ${row.host}`}
      typeName={row.instance}
      send={async () => {
        const [result] = await client.instances.release.mutate({
          ids: [row.instanceId],
          repairTenant: true,
          ...(issue === null ? {} : { issue }),
        });
        if (result?.ok !== true) throw new Error(result?.message ?? "The release was not accepted.");
      }}
      said={`Release of ${row.host} accepted`}
      onClose={onClose}
      onDone={onDone}
    />
  );
}
