"use client";
// Details of one host's repair: its issue, the alerts that request it, who may claim it, and earlier repairs.
import { byText, lineIssue, lineOutcome, formatManyNote } from "@/components/repair/repair-text";
import { Empty } from "@/components/ui/empty";
import { formatCounted } from "@/server/domain/numbers";
import { Facts } from "@/components/ui/head/facts";
import type { Fact } from "@/components/ui/head/facts";
import { Mark } from "@/components/ui/mark";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { Age, Since, Time } from "@/components/ui/time/time";
import type { RepairAlert, RepairHost, RepairLine } from "@/server/surfaces/trpc/types";

export function IssueSection({ host }: { host: RepairHost }) {
  const { asks, onlineSince } = host;
  if (asks === null && onlineSince !== null)
    return (
      <p className="after">
        It is repaired online since <Time at={onlineSince} />, while its tenant keeps it. No repair of a
        released host is requested.
      </p>
    );
  if (asks === null)
    return (
      <Empty title="No repair requested">
        An issue that a tenant reports with its release, or a requested repair, appears here.
      </Empty>
    );
  const { issue } = asks;
  const facts: readonly Fact[] = [
    ["Category", issue.category ?? "not given"],
    ["Summary", issue.summary === "" ? "not given" : issue.summary],
    [
      "Details",
      issue.details === "" ? (
        "none"
      ) : (
        <span key="details" className="pre-line">
          {issue.details}
        </span>
      ),
    ],
    ["Requested", <Since key="asked" at={asks.since} />],
    [
      "By",
      [asks.reported ? "a tenant reported an issue" : null, asks.requested ? "a repair was requested" : null]
        .filter((part) => part !== null)
        .join(", "),
    ],
  ];
  return <Facts facts={facts} />;
}

export function ClaimSection({ host }: { host: RepairHost }) {
  const { claim, claimWords, held } = host;
  return (
    <>
      <p className="after">{claimWords}</p>
      {claim.expectedAt === null ? null : (
        <p className="after">
          Its cleaning is expected to end at about <Time at={claim.expectedAt} />.
        </p>
      )}
      {held === null ? null : (
        <p className="after">
          {held.tenant ?? "A repair tenant"} has had it for a repair for <Age at={held.claimedAt} />.
        </p>
      )}
    </>
  );
}

const named = ({ id, target }: Pick<RepairAlert, "id" | "target">): string =>
  target === null ? id : `${id} (${target})`;

const repairAlertColumn = columnsOf<RepairAlert>();

const alertColumns = [
  repairAlertColumn.name("alert", "Alert", named, { width: "32%" }),
  repairAlertColumn.cell(
    "does",
    "Classifications",
    ({ classifications }) => (classifications.length === 0 ? "–" : classifications.join(", ")),
    { narrow: "line", title: ({ classifications }) => classifications.join(", ") },
  ),
  repairAlertColumn.age("since", "Since", ({ since }) => since, { width: "18%", narrow: "top-end" }),
];

export const RepairAlerts = ({ caption, alerts }: { caption: string; alerts: readonly RepairAlert[] }) =>
  alerts.length === 0 ? (
    <p className="after text-quiet">None.</p>
  ) : (
    <DataTable caption={caption} columns={alertColumns} rows={alerts} rowId={named} />
  );

const repairLineColumn = columnsOf<RepairLine>();

/** @param many the repairs are of several hosts: each row names its host, and not who repaired */
export const repairColumns = (many: boolean) => [
  repairLineColumn.cell(
    "ended",
    many ? "Host" : "Ended",
    ({ host, releasedAt }) => (many ? host : releasedAt === null ? "in progress" : <Time at={releasedAt} />),
    {
      width: many ? "16%" : "20%",
      narrow: "top-start",
      rowHeader: true,
      always: true,
      sort: many ? ({ host }) => host : ({ releasedAt }) => releasedAt,
    },
  ),
  repairLineColumn.text("issue", "Issue", lineIssue, {
    narrow: "line",
    none: <span className="text-quiet">not recorded</span>,
  }),
  repairLineColumn.cell(
    "outcome",
    "Outcome",
    (row) => {
      const { words, tone } = lineOutcome(row);
      return (
        <span className="marked-text">
          <Mark tone={tone} label="" /> <span>{words}</span>
        </span>
      );
    },
    { width: "16%", narrow: "top-end", sort: (row) => lineOutcome(row).words },
  ),
  repairLineColumn.text("note", many ? "Note" : "By, note", many ? formatManyNote : byText, {
    width: "26%",
    from: "medium",
    narrow: "bottom-start",
    none: <span className="text-quiet">none</span>,
  }),
];

const earlierColumns = repairColumns(false);

export const EarlierRepairs = ({ host }: { host: RepairHost }) =>
  host.earlier.length === 0 ? (
    <Empty title="Never repaired">Repairs of this host that ended are listed here.</Empty>
  ) : (
    <DataTable
      caption="Earlier repairs"
      columns={earlierColumns}
      rows={host.earlier}
      rowId={({ id }) => id}
    />
  );

/** "3 in 30 days" for a repeat offender, otherwise the total. */
export const repairedText = ({ total, recent, offender }: RepairHost["repaired"]): string =>
  offender ? `${recent} in 30 days` : total === 0 ? "never" : formatCounted(total, "time");
