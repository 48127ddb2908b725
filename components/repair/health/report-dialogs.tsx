"use client";
// Adds a report to a host from a template, and removes a report; each states first what it will do.
import { useSuspenseQuery } from "@tanstack/react-query";
import { z } from "zod";
import { useTRPC } from "@/components/trpc/trpc";
import { ActDialog, ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { optionsOf } from "@/components/ui/form/fields";
import { isTemplateName, repairTemplates } from "@/server/domain/repair/health/templates";
import type { HealthReport, HealthTemplate, HostDetail } from "@/server/surfaces/trpc/types";

interface ReportDialogProps {
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

const messageHint = (template: string): string =>
  `kept with the alert and its history${repairTemplates.some((name) => name === template) ? "; repair tenants read it" : ""}`;

export function ApplyDialog({ host, reports, ...rest }: ReportDialogProps) {
  const { data: templates } = useSuspenseQuery(useTRPC().health.templates.queryOptions());
  return (
    <ActFormDialog
      title={`Add a health report to ${host.name}`}
      consequence={({ template: chosen, replace }) => {
        const template = templates.find(({ name }) => name === chosen);
        return template && <Consequence template={template} replace={replace} reports={reports} />;
      }}
      confirmWords="Add the report"
      schema={schema}
      values={{ template: "out-for-repair", message: "", tenantMessage: "", replace: false }}
      fields={({ template }) => ({
        template: { label: "Template", options: optionsOf(templates.map(({ name }) => name)) },
        message: { label: "Message", rows: 2, hint: messageHint(template) },
        tenantMessage: { label: "Message for the tenant", rows: 2, hint: "leave empty to show nothing" },
        replace: { label: "Hide the other reports where health is shown" },
      })}
      send={({ tenantMessage, ...report }, client) =>
        client.health.apply.mutate({
          hostId: host.id,
          ...report,
          ...(tenantMessage === "" ? {} : { tenantMessage }),
        })
      }
      said={(_, { template }) => `${template} reported on ${host.name}`}
      {...rest}
    />
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

const prevents = ({ alerts, silentSince }: HealthReport): boolean =>
  silentSince !== null ||
  alerts.some(({ classifications }) => classifications.includes("PreventAllocations"));

/** Whether the host could be allocated again as far as reports are concerned. */
function endText(host: HostDetail, report: HealthReport, reports: readonly HealthReport[]): string {
  if (!prevents(report)) return "It does not block anything on this host.";
  return reports.some((other) => other !== report && prevents(other))
    ? `Another report still keeps ${host.name} out of allocation.`
    : `After that, no report keeps ${host.name} out of allocation. If somebody worked on the host, it is checked again first.`;
}

export function RemoveDialog({
  host,
  report,
  reports,
  ...rest
}: ReportDialogProps & { readonly report: HealthReport }) {
  const { source, mode } = report;
  return (
    <ActDialog
      title={`Remove the report of ${source} from ${host.name}?`}
      consequence={`${endText(host, report, reports)} If the source still sees the problem, its next report brings the alerts back. The report stays in the list of changes.`}
      confirmWords="Remove the report"
      reason="For example, what was repaired."
      send={({ reason }, client) => client.health.remove.mutate({ hostId: host.id, source, mode, reason })}
      said={`Report of ${source} removed from ${host.name}`}
      {...rest}
    />
  );
}
