// Columns of a table of security events.
import Link from "next/link";
import { StateLabel } from "@/components/ui/state-label";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { routes } from "@/server/domain/console/routes";
import { severityText } from "@/server/domain/access/security-events/kinds";
import type { SecurityEventLine } from "@/server/surfaces/trpc/types";

const tones = { high: "failed", medium: "attention", low: "neutral" } as const;

export function SeverityLabel({ event }: { readonly event: SecurityEventLine }) {
  return event.acknowledged === null ? (
    <StateLabel tone={tones[event.severity]} path={severityText[event.severity]} live={false} />
  ) : (
    <StateLabel tone="neutral" path="Acknowledged" live={false} />
  );
}

export const addressText = ({ address, others }: SecurityEventLine): string =>
  others === "addresses" ? `${address} and others` : address;

export function HostLink({ event }: { readonly event: SecurityEventLine }) {
  const { hostName, hostId, hostIsHere, others } = event;
  if (others === "hosts") return <>further hosts</>;
  if (hostName === null)
    return <>{hostId === null ? "none of ours" : <span className="mono">{hostId}</span>}</>;
  return (
    <Link
      className="link"
      href={hostIsHere ? routes.host(hostName) : routes.gone.one(hostId ?? hostName)}
      prefetch={false}
    >
      {hostName}
    </Link>
  );
}

const column = columnsOf<SecurityEventLine>();

const host = column.cell("host", "Host", (event) => <HostLink event={event} />, {
  width: 150,
  narrow: "bottom-start",
  sort: ({ hostName, hostId }) => hostName ?? hostId,
});

/** The most urgent first; acknowledged ones last. */
const urgency = { high: 0, medium: 1, low: 2 } as const;

/** @param layout with a width where the table has room for all columns */
const event = (layout: { readonly width?: number }) =>
  column.cell(
    "event",
    "Event",
    ({ title }: SecurityEventLine) => (
      <button type="button" className="row-button">
        {title}
      </button>
    ),
    {
      ...{ ...layout, rowHeader: true, always: true, narrow: "top-start" },
      title: ({ title }) => title,
      sort: ({ title }) => title,
    },
  );

const facts: readonly TableColumn<SecurityEventLine>[] = [
  column.cell("severity", "Severity", (event) => <SeverityLabel event={event} />, {
    width: 128,
    narrow: "top-end",
    sort: ({ acknowledged, severity }) => (acknowledged === null ? urgency[severity] : 3),
  }),
  column.proofTime("last", "Last seen", ({ lastAt }) => lastAt, {
    narrow: "bottom-end",
  }),
  host,
  column.text("address", "Address", addressText, { width: 150, narrow: "line", className: "mono" }),
  column.count("count", "Count", ({ count }) => count, { width: 80, from: "medium", align: "start" }),
  column.cell("tried", "What was tried", ({ tried }) => tried[0] ?? "", {
    from: "widest",
    className: "text-quiet",
    title: ({ tried }) => tried.join("; "),
  }),
];

export const securityColumns = [event({ width: 230 }), ...facts];
const besidePanel: ReadonlySet<string> = new Set(["severity", "last", "host"]);
/** Beside the panel, which shows the rest. */
export const columnsBesidePanel = [event({}), ...facts.filter(({ id }) => besidePanel.has(id))];
/** On a host's page. */
export const columnsOfHost = securityColumns.filter(({ id }) => id !== "host");
