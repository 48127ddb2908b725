// The tables of a host's health: alerts, reports by source, and changes.
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { formatCounted } from "@/server/domain/numbers";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { Age } from "@/components/ui/time/time";
import type { HealthAlert, HealthChange, HealthReport } from "@/server/surfaces/trpc/types";

const named = ({ id, target }: { readonly id: string; readonly target: string | null }): string =>
  target === null ? id : `${id} (${target})`;

const healthAlertColumn = columnsOf<HealthAlert>();

const alertColumns = [
  healthAlertColumn.cell(
    "alert",
    "Alert",
    ({ id, target }) => (
      <>
        {id}
        {target === null ? null : <span className="text-quiet"> {target}</span>}
      </>
    ),
    { width: "24%", narrow: "top-start", rowHeader: true, title: named },
  ),
  healthAlertColumn.age("since", "Since", ({ inAlertSince }) => inAlertSince, {
    width: "12%",
    narrow: "top-end",
    align: "start",
  }),
  healthAlertColumn.cell(
    "message",
    "Message",
    ({ message, tenantMessage }) => (
      <>
        {message === "" ? "–" : message}
        {tenantMessage === null ? null : (
          <span className="text-quiet"> Shown to the tenant: {tenantMessage}</span>
        )}
      </>
    ),
    { narrow: "line", title: ({ message }) => message },
  ),
  healthAlertColumn.cell(
    "classifications",
    "Classifications",
    ({ classifications }) => (classifications.length === 0 ? "–" : classifications.join(", ")),
    {
      width: "24%",
      from: "medium",
      className: "text-quiet",
      title: ({ classifications }) => classifications.join(", "),
    },
  ),
  healthAlertColumn.cell("sources", "Sources", ({ sources }) => sources.join(", "), {
    width: "14%",
    narrow: "bottom-start",
  }),
];

export const AlertTable = ({ caption, alerts }: { caption: string; alerts: readonly HealthAlert[] }) => (
  <DataTable caption={caption} columns={alertColumns} rows={alerts} rowId={named} />
);

const healthReportColumn = columnsOf<HealthReport>();

const reportColumns = [
  healthReportColumn.cell(
    "source",
    "Source",
    ({ source, mode }) => (
      <>
        {source}
        {mode === "replace" ? <span className="text-quiet">, replaces the others</span> : null}
      </>
    ),
    { width: "24%", narrow: "top-start", rowHeader: true },
  ),
  healthReportColumn.cell(
    "says",
    "Result",
    ({ alerts, successes, silentSince }) => (
      <>
        {silentSince === null ? null : (
          <span className="tone" data-tone="attention">
            silent for <Age at={silentSince} />;{" "}
          </span>
        )}
        {alerts.length === 0 ? "no alert" : alerts.map(named).join(", ")}
        {successes.length === 0 ? null : (
          <span className="text-quiet">; {formatCounted(successes.length, "check")} passed</span>
        )}
      </>
    ),
    { narrow: "line", title: ({ alerts }) => alerts.map(named).join(", ") },
  ),
  healthReportColumn.cell(
    "observed",
    "Observed",
    ({ observedAt }) => (
      <>
        <Age at={observedAt} /> ago
      </>
    ),
    { width: "12%", narrow: "bottom-start", className: "text-quiet" },
  ),
  healthReportColumn.cell(
    "by",
    "Reported by",
    ({ reportedBy, heartbeatSeconds }) =>
      heartbeatSeconds === null ? reportedBy : `${reportedBy}, every ${heartbeatSeconds} s`,
    { width: "16%", narrow: "bottom-end", className: "text-quiet" },
  ),
];

const removeColumn = (onRemove: (report: HealthReport) => void): TableColumn<HealthReport> =>
  healthReportColumn.cell(
    "remove",
    "Remove",
    (report) => (
      <Button small onClick={() => onRemove(report)}>
        Remove…<span className="visually-hidden"> report of {report.source}</span>
      </Button>
    ),
    { labelHidden: true, width: 104, align: "end", narrow: "top-end" },
  );

/** @param onRemove null if this user may not remove reports */
export function ReportTable({
  reports,
  onRemove,
}: {
  reports: readonly HealthReport[];
  onRemove: ((report: HealthReport) => void) | null;
}) {
  return reports.length === 0 ? (
    <Empty title="No source reports on this host">The last report of each source is listed here.</Empty>
  ) : (
    <DataTable
      caption="Reports"
      columns={onRemove === null ? reportColumns : [...reportColumns, removeColumn(onRemove)]}
      rows={reports}
      rowId={({ source, mode }) => `${mode}/${source}`}
    />
  );
}

const kindText = { set: "reported", removed: "removed", silent: "went silent" } as const;

const healthChangeColumn = columnsOf<HealthChange>();

const changeColumns = [
  healthChangeColumn.time("at", "At", ({ at }) => at, {
    width: "18%",
    narrow: "top-end",
    className: "text-quiet",
  }),
  healthChangeColumn.cell(
    "source",
    "Source",
    ({ source, mode }) => (mode === "replace" ? `${source}, replacing` : source),
    { width: "22%", narrow: "top-start", rowHeader: true },
  ),
  healthChangeColumn.cell(
    "change",
    "Change",
    ({ kind, alerts, reason }) => (
      <>
        {kindText[kind]}
        {kind === "set" ? `: ${alerts.length === 0 ? "no alert" : alerts.join(", ")}` : ""}
        {reason === null ? null : <span className="text-quiet">; {reason}</span>}
      </>
    ),
    { narrow: "line", title: ({ reason }) => reason },
  ),
  healthChangeColumn.text("by", "By", ({ by }) => by, {
    width: "18%",
    narrow: "bottom-start",
    className: "text-quiet",
  }),
];

export const ChangeTable = ({ changes }: { changes: readonly HealthChange[] }) =>
  changes.length === 0 ? (
    <Empty title="No reports yet">Every change of a report is listed here.</Empty>
  ) : (
    <DataTable caption="Changes" columns={changeColumns} rows={changes} rowId={({ id }) => id} />
  );
