// Columns of a table of security events.
import Link from "next/link";
import { StateLabel } from "@/components/ui/state-label";
import { formatCount } from "@/components/ui/format/numbers";
import type { TableColumn } from "@/components/ui/table/columns";
import { ProofTime, proofTimeWidth } from "@/components/ui/time/time";
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

const host: TableColumn<SecurityEventLine> = {
  id: "host",
  label: "Host",
  width: 150,
  narrow: "bottom-start",
  cell: (event) => <HostLink event={event} />,
};

export const securityColumns: readonly TableColumn<SecurityEventLine>[] = [
  {
    id: "event",
    label: "Event",
    width: 230,
    rowHeader: true,
    narrow: "top-start",
    title: ({ title }) => title,
    // A click here counts as a click on the row and opens the event. The button makes that work with Tab, Enter and screen readers.
    cell: ({ title }) => (
      <button type="button" className="row-button">
        {title}
      </button>
    ),
  },
  {
    id: "severity",
    label: "Severity",
    width: 128,
    narrow: "top-end",
    cell: (event) => <SeverityLabel event={event} />,
  },
  {
    id: "last",
    label: "Last seen",
    width: proofTimeWidth,
    narrow: "bottom-end",
    cell: ({ lastAt }) => <ProofTime at={lastAt} />,
  },
  host,
  {
    id: "address",
    label: "Address",
    width: 150,
    narrow: "line",
    className: "mono",
    title: addressText,
    cell: addressText,
  },
  { id: "count", label: "Count", width: 80, from: "medium", cell: ({ count }) => formatCount(count) },
  {
    id: "tried",
    label: "What was tried",
    from: "widest",
    className: "text-quiet",
    title: ({ tried }) => tried.join("; "),
    cell: ({ tried }) => tried[0] ?? "",
  },
];

/** Beside the panel, which shows the rest. */
export const columnsBesidePanel = securityColumns.filter(({ id }) => id !== "tried" && id !== "count");
/** On a host's page. */
export const columnsOfHost = securityColumns.filter(({ id }) => id !== "host");
