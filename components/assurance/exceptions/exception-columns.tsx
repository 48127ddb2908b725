// Columns of the exception lists.
import Link from "next/link";
import { ExceptionActs } from "@/components/assurance/exceptions/exception-acts";
import {
  formatException,
  letThrough,
  formatExceptionStanding,
} from "@/components/assurance/exceptions/exception-text";
import type { TableColumn } from "@/components/ui/table/columns";
import { ProofTime, proofTimeWidth } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";
import type { ExceptionLine } from "@/server/surfaces/trpc/types";

type Column = TableColumn<ExceptionLine>;

export const whatColumn = (open: ReadonlySet<string>, onToggle: (id: string) => void): Column => ({
  id: "what",
  label: "Exception",
  width: "26%",
  narrow: "top-start",
  rowHeader: true,
  // Serial numbers are shown in full.
  className: "wrapping",
  title: letThrough,
  cell: (line) => (
    <button
      type="button"
      className="link"
      aria-expanded={open.has(line.id)}
      onClick={() => onToggle(line.id)}
      aria-label={`${open.has(line.id) ? "Hide" : "Show"} ${formatException(line)}`}
    >
      {letThrough(line)}
    </button>
  ),
});

export const hostColumn: Column = {
  id: "host",
  label: "Host",
  width: 140,
  narrow: "line",
  sort: ({ host }) => host.name,
  title: ({ host }) => host.name,
  cell: ({ host }) => <Link href={routes.host(host.name, { tab: "gates" })}>{host.name}</Link>,
};

export const standingColumn: Column = {
  id: "standing",
  label: "Status",
  narrow: "line",
  className: "wrapping",
  title: formatExceptionStanding,
  cell: (line) => (
    <span className="tone" data-tone={line.standing === "approved" ? "attention" : "neutral"}>
      {formatExceptionStanding(line)}
      {line.standing === "superseded" && line.supersededAt !== null ? (
        <>
          {" "}
          on <ProofTime at={line.supersededAt} />
        </>
      ) : null}
    </span>
  ),
};

export const byColumn: Column = {
  id: "by",
  label: "Asked by",
  width: 130,
  narrow: "line",
  from: "medium",
  className: "text-quiet",
  title: ({ askedBy }) => askedBy,
  cell: ({ own, askedBy }) => (own ? "you" : askedBy),
};

export const expiresColumn = (label: "Expires" | "Expiry"): Column => ({
  id: "expires",
  label,
  width: proofTimeWidth,
  align: "end",
  narrow: "bottom-start",
  className: "text-quiet",
  sort: ({ validUntil }) => validUntil,
  cell: ({ validUntil }) => (
    <>
      <span className="narrow-label">{label.toLowerCase()} </span>
      <ProofTime at={validUntil} />
    </>
  ),
});

export const actsColumn = (onAsk: Parameters<typeof ExceptionActs>[0]["onAsk"]): Column => ({
  id: "acts",
  label: "Actions",
  labelHidden: true,
  width: 240,
  align: "end",
  narrow: "line",
  cell: (line) => <ExceptionActs line={line} onAsk={onAsk} />,
});
