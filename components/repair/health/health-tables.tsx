// The tables of a host's health: alerts, reports by source, and changes.
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { formatCounted } from "@/components/ui/format/numbers";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { Age, Time } from "@/components/ui/time/time";
import type { HealthAlert, HealthChange, HealthReport } from "@/server/surfaces/trpc/types";

const named = ({ id, target }: { readonly id: string; readonly target: string | null }): string =>
  target === null ? id : `${id} (${target})`;

const alertColumns: readonly TableColumn<HealthAlert>[] = [
  {
    id: "alert",
    label: "Alert",
    width: "24%",
    narrow: "top-start",
    rowHeader: true,
    title: named,
    cell: ({ id, target }) => (
      <>
        {id}
        {target === null ? null : <span className="text-quiet"> {target}</span>}
      </>
    ),
  },
  {
    id: "since",
    label: "Since",
    width: "12%",
    narrow: "top-end",
    className: "text-quiet",
    cell: ({ inAlertSince }) => <Age at={inAlertSince} />,
  },
  {
    id: "message",
    label: "Message",
    narrow: "line",
    title: ({ message }) => message,
    cell: ({ message, tenantMessage }) => (
      <>
        {message === "" ? "–" : message}
        {tenantMessage === null ? null : (
          <span className="text-quiet"> Shown to the tenant: {tenantMessage}</span>
        )}
      </>
    ),
  },
  {
    id: "classifications",
    label: "Classifications",
    width: "24%",
    from: "medium",
    className: "text-quiet",
    title: ({ classifications }) => classifications.join(", "),
    cell: ({ classifications }) => (classifications.length === 0 ? "–" : classifications.join(", ")),
  },
  {
    id: "sources",
    label: "Sources",
    width: "14%",
    narrow: "bottom-start",
    cell: ({ sources }) => sources.join(", "),
  },
];

export const AlertTable = ({ caption, alerts }: { caption: string; alerts: readonly HealthAlert[] }) => (
  <DataTable caption={caption} columns={alertColumns} rows={alerts} rowId={named} />
);

const reportColumns: readonly TableColumn<HealthReport>[] = [
  {
    id: "source",
    label: "Source",
    width: "24%",
    narrow: "top-start",
    rowHeader: true,
    cell: ({ source, mode }) => (
      <>
        {source}
        {mode === "replace" ? <span className="text-quiet">, replaces the others</span> : null}
      </>
    ),
  },
  {
    id: "says",
    label: "Result",
    narrow: "line",
    title: ({ alerts }) => alerts.map(named).join(", "),
    cell: ({ alerts, successes, silentSince }) => (
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
  },
  {
    id: "observed",
    label: "Observed",
    width: "12%",
    narrow: "bottom-start",
    className: "text-quiet",
    cell: ({ observedAt }) => (
      <>
        <Age at={observedAt} /> ago
      </>
    ),
  },
  {
    id: "by",
    label: "Reported by",
    width: "16%",
    narrow: "bottom-end",
    className: "text-quiet",
    cell: ({ reportedBy, heartbeatSeconds }) =>
      heartbeatSeconds === null ? reportedBy : `${reportedBy}, every ${heartbeatSeconds} s`,
  },
];

const removeColumn = (onRemove: (report: HealthReport) => void): TableColumn<HealthReport> => ({
  id: "remove",
  label: "Remove",
  labelHidden: true,
  width: 104,
  align: "end",
  narrow: "top-end",
  cell: (report) => (
    <Button small onClick={() => onRemove(report)}>
      Remove…<span className="visually-hidden"> report of {report.source}</span>
    </Button>
  ),
});

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

const changeColumns: readonly TableColumn<HealthChange>[] = [
  {
    id: "at",
    label: "At",
    width: "18%",
    narrow: "top-end",
    className: "text-quiet",
    cell: ({ at }) => <Time at={at} />,
  },
  {
    id: "source",
    label: "Source",
    width: "22%",
    narrow: "top-start",
    rowHeader: true,
    cell: ({ source, mode }) => (mode === "replace" ? `${source}, replacing` : source),
  },
  {
    id: "change",
    label: "Change",
    narrow: "line",
    title: ({ reason }) => reason,
    cell: ({ kind, alerts, reason }) => (
      <>
        {kindText[kind]}
        {kind === "set" ? `: ${alerts.length === 0 ? "no alert" : alerts.join(", ")}` : ""}
        {reason === null ? null : <span className="text-quiet">; {reason}</span>}
      </>
    ),
  },
  {
    id: "by",
    label: "By",
    width: "18%",
    narrow: "bottom-start",
    className: "text-quiet",
    cell: ({ by }) => by,
  },
];

export const ChangeTable = ({ changes }: { changes: readonly HealthChange[] }) =>
  changes.length === 0 ? (
    <Empty title="No reports yet">Every change of a report is listed here.</Empty>
  ) : (
    <DataTable caption="Changes" columns={changeColumns} rows={changes} rowId={({ id }) => id} />
  );
