"use client";
// The health of a host: alerts and their effects, the reports by source, and every change (docs/repair.md).
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { AlertTable, ChangeTable, ReportTable } from "@/components/repair/health/health-tables";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { Facts, type Fact } from "@/components/ui/head/facts";
import { Mark } from "@/components/ui/mark";
import { formatCounted } from "@/server/domain/numbers";
import type { HealthReport, HealthTemplate, HostDetail, HostHealth } from "@/server/surfaces/trpc/types";
import { Time } from "@/components/ui/time/time";
import { z } from "zod";
import { ActDialog, ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { optionsOf } from "@/components/ui/form/fields";
import { isTemplateName, repairTemplates } from "@/server/domain/repair/health/templates";

// Adds a report to a host from a template, and removes a report; each states first what it will do.
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

function ApplyDialog({ host, reports, ...rest }: ReportDialogProps) {
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

function RemoveDialog({
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

const refreshMs = 2_000;

export function HealthTab({ host, onDone }: { host: HostDetail; onDone: () => void }) {
  const trpc = useTRPC();
  const { data: health, refetch } = useSuspenseQuery(trpc.health.get.queryOptions({ hostId: host.id }));
  useLiveRefresh(refetch, { hostId: host.id, everyMs: refreshMs });
  const [removed, setRemoved] = useState<HealthReport>();
  const [applies, setApplies] = useState(false);
  const [reads, setReads] = useState(false);
  const done = () => {
    void refetch();
    onDone();
  };
  return (
    <>
      <div className="sec">
        <h2>Alerts</h2>
        <span className="sum cut">{alertSum(health)}</span>
        {health.mayChange ? (
          <Button small onClick={() => setApplies(true)}>
            Add a report…
          </Button>
        ) : null}
      </div>
      <Effects health={health} />
      {health.alerts.length === 0 ? (
        <Empty title={health.level === null ? "No source reports on this host" : "No alerts shown"}>
          Alerts from health sources, and reports added by people, are listed here.
        </Empty>
      ) : (
        <AlertTable caption="Alerts" alerts={health.alerts} />
      )}
      <Hidden health={health} />
      <div className="sec">
        <h2>Reports</h2>
        <span className="sum cut">the last of each source</span>
        {health.mayChange && health.bmc !== undefined && (health.bmc?.wantedAt ?? null) === null ? (
          <Button small onClick={() => setReads(true)}>
            Read now…
          </Button>
        ) : null}
      </div>
      <BmcReading bmc={health.bmc} />
      <ReportTable reports={health.reports} onRemove={health.mayChange ? setRemoved : null} />
      <div className="sec">
        <h2>Changes</h2>
        <span className="sum cut">
          {health.before === null ? "all, newest first" : `the newest ${health.changes.length}`}
        </span>
      </div>
      <ChangeTable changes={health.changes} />
      {removed === undefined ? null : (
        <RemoveDialog
          host={host}
          report={removed}
          reports={health.reports}
          onClose={() => setRemoved(undefined)}
          onDone={done}
        />
      )}
      {reads ? (
        <ActDialog
          title={`Read the health of ${host.name} now?`}
          consequence="Its BMC is asked at once, or once the host rests: not while it is cleaned or checked, or while a repair system has it."
          confirmWords="Read now"
          send={(_, client) => client.health.readNow.mutate({ hostId: host.id })}
          said={`Health of ${host.name} requested from its BMC`}
          onClose={() => setReads(false)}
          onDone={done}
        />
      ) : null}
      {applies ? (
        <ApplyDialog host={host} reports={health.reports} onClose={() => setApplies(false)} onDone={done} />
      ) : null}
    </>
  );
}

function alertSum({ alerts, replacedBy, level }: HostHealth): string {
  const counted = alerts.length === 0 ? "none shown" : formatCounted(alerts.length, "alert");
  return [
    level === null ? "no source reports" : counted,
    replacedBy === null ? null : `the report of ${replacedBy} hides the others`,
  ]
    .filter((part) => part !== null)
    .join("; ");
}

/** The effects in force because of alerts, whoever sees the alerts. */
function Effects({ health: { effects } }: { health: HostHealth }) {
  return effects.length === 0 ? null : (
    <ul className="plain after">
      {effects.map(({ classification, words }) => (
        <li key={classification}>
          <Mark tone="attention" label="" /> {words} <span className="text-quiet mono">{classification}</span>
        </li>
      ))}
    </ul>
  );
}

/** When Reclaim read the health from the host's BMC, and what that BMC does not say. */
function BmcReading({ bmc }: { readonly bmc: HostHealth["bmc"] }) {
  if (bmc === undefined)
    return <Facts facts={[["Read from the BMC", "not known: a server that is not upgraded yet answered"]]} />;
  if (bmc === null) return null;
  const { readAt, notOffered, failing, wantedAt } = bmc;
  const facts: Fact[] = [["Read from the BMC", readAt === null ? "never" : <Time key="at" at={readAt} />]];
  if (wantedAt !== null) facts.push(["Requested", <Time key="wanted" at={wantedAt} />]);
  if (failing !== null)
    facts.push([
      "Unreadable",
      <span key="failing">
        since <Time at={failing.since} />: {failing.why}
      </span>,
    ]);
  if (notOffered.length > 0) facts.push(["Not offered by the BMC", notOffered.join(", ")]);
  return <Facts facts={facts} />;
}

/** Hidden from display, but still counted in Reclaim's decisions. */
function Hidden({ health: { hidden } }: { health: HostHealth }) {
  return hidden.length === 0 ? null : (
    <>
      <div className="sec">
        <h2>Hidden alerts in effect</h2>
        <span className="sum cut">hiding an alert does not open its gate</span>
      </div>
      <AlertTable caption="Hidden alerts in effect" alerts={hidden} />
    </>
  );
}
