"use client";
// Applies a template: creates a report by name, and states first what it will do.
import { useSuspenseQuery } from "@tanstack/react-query";
import { useStore } from "@tanstack/react-form";
import { z } from "zod";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { useSend } from "@/components/ui/form/use-send";
import { isTemplateName, repairTemplates } from "@/server/domain/repair/health/templates";
import type { HealthReport, HealthTemplate, HostDetail } from "@/server/surfaces/trpc/types";

interface ApplyDialogProps {
  readonly host: HostDetail;
  readonly reports: readonly HealthReport[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const schema = z.object({
  template: z.string().refine(isTemplateName, "Choose what to report"),
  message: z.string().trim().min(1, "Enter a reason").max(500, "At most 500 characters"),
  tenantMessage: z.string().trim().max(500, "At most 500 characters"),
  replace: z.boolean(),
});

const empty = { template: "out-for-repair", message: "", tenantMessage: "", replace: false };

const messageHint = (template: string): string =>
  `kept with the alert and its history${repairTemplates.some((name) => name === template) ? "; repair tenants read it" : ""}`;

export function ApplyDialog({ host, reports, onClose, onDone }: ApplyDialogProps) {
  const client = useTRPCClient();
  const { data: templates } = useSuspenseQuery(useTRPC().health.templates.queryOptions());
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const form = useAppForm({
    defaultValues: empty,
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) =>
      send(formApi, `${value.template} reported on ${host.name}`, () => {
        const { template, message, tenantMessage, replace } = schema.parse(value);
        return client.health.apply.mutate({
          hostId: host.id,
          template,
          message,
          replace,
          ...(tenantMessage === "" ? {} : { tenantMessage }),
        });
      }),
  });
  const chosen = useStore(form.store, ({ values }) => values.template);
  const replace = useStore(form.store, ({ values }) => values.replace);
  const template = templates.find(({ name }) => name === chosen);
  return (
    <form.AppForm>
      <FormDialog
        title={`Add a health report to ${host.name}`}
        consequence={
          template === undefined ? null : (
            <Consequence template={template} replace={replace} reports={reports} />
          )
        }
        confirmWords="Add the report"
        schema={schema}
        problem={problem}
        onClose={onClose}
      >
        <form.AppField name="template">
          {(field) => (
            <field.SelectField
              label="Template"
              options={templates.map(({ name }) => ({ value: name, label: name }))}
            />
          )}
        </form.AppField>
        <form.AppField name="message">
          {(field) => <field.TextAreaField label="Message" hint={messageHint(chosen)} />}
        </form.AppField>
        <form.AppField name="tenantMessage">
          {(field) => (
            <field.TextAreaField label="Message for the tenant" hint="leave empty to show nothing" />
          )}
        </form.AppField>
        <form.AppField name="replace">
          {(field) => <field.CheckField label="Hide the other reports where health is shown" />}
        </form.AppField>
      </FormDialog>
    </form.AppForm>
  );
}

interface ConsequenceProps {
  template: HealthTemplate;
  replace: boolean;
  reports: readonly HealthReport[];
}

/** Three templates share a source, so the last one applied replaces the others. */
function Consequence({ template: { purpose, source, effects }, replace, reports }: ConsequenceProps) {
  const mode = replace ? "replace" : "merge";
  const before = reports.find((report) =>
    replace ? report.mode === "replace" : report.mode === mode && report.source === source,
  );
  return (
    <>
      <p>
        {purpose}. {effects.map(({ words }) => words).join(" ")}
        {effects.length === 0 ? "Nothing else changes." : ""}
      </p>
      {replace ? (
        <p>
          It hides the other reports on pages and from alerting, but not from gates: what they block stays
          blocked.
        </p>
      ) : null}
      {before === undefined ? null : (
        <p>
          It replaces the {before.mode === "replace" ? "replacing " : ""}report of {before.source}.
        </p>
      )}
    </>
  );
}
