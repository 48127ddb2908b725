// Columns of the exception lists.
import Link from "next/link";
import { ExceptionActs } from "@/components/assurance/exceptions/exception-acts";
import {
  formatException,
  letThrough,
  formatExceptionStanding,
} from "@/components/assurance/exceptions/exception-text";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { ProofTime, proofTimeWidth } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";
import type { ExceptionLine } from "@/server/surfaces/trpc/types";

type Column = TableColumn<ExceptionLine>;

const column = columnsOf<ExceptionLine>();

export const whatColumn = (open: ReadonlySet<string>, onToggle: (id: string) => void): Column =>
  column.cell(
    "what",
    "Exception",
    (line) => (
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
    { width: "26%", narrow: "top-start", rowHeader: true, className: "wrapping", title: letThrough },
  );

export const hostColumn = column.cell(
  "host",
  "Host",
  ({ host }) => <Link href={routes.host(host.name, { tab: "gates" })}>{host.name}</Link>,
  { width: 140, narrow: "line", sort: ({ host }) => host.name, title: ({ host }) => host.name },
);

export const standingColumn = column.cell(
  "standing",
  "Status",
  (line) => (
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
  { narrow: "line", className: "wrapping", title: formatExceptionStanding },
);

export const byColumn = column.cell("by", "Asked by", ({ own, askedBy }) => (own ? "you" : askedBy), {
  width: 130,
  narrow: "line",
  from: "medium",
  className: "text-quiet",
  title: ({ askedBy }) => askedBy,
});

export const expiresColumn = (label: "Expires" | "Expiry"): Column =>
  column.cell(
    "expires",
    label,
    ({ validUntil }) => (
      <>
        <span className="narrow-label">{label.toLowerCase()} </span>
        <ProofTime at={validUntil} />
      </>
    ),
    {
      width: proofTimeWidth,
      align: "end",
      narrow: "bottom-start",
      className: "text-quiet",
      sort: ({ validUntil }) => validUntil,
    },
  );

export const actsColumn = (onAsk: Parameters<typeof ExceptionActs>[0]["onAsk"]): Column =>
  column.cell("acts", "Actions", (line) => <ExceptionActs line={line} onAsk={onAsk} />, {
    labelHidden: true,
    width: 240,
    align: "end",
    narrow: "line",
  });
