"use client";
// The lines of an enrolment: where each host is, what its BMC answered, and the act that lets it continue.
import Link from "next/link";
import { useMemo, useState } from "react";
import { ChangedMark } from "@/components/ui/changed-mark";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable, type DataTableProps } from "@/components/ui/table/data-table";
import { routes } from "@/server/domain/console/routes";
import { formatFingerprint } from "@/server/domain/hardware/certificate";
import type { EnrolmentLine } from "@/server/surfaces/trpc/types";
import { stageLooks } from "@/components/hosts/enrolment/enrolment-text";
import { ConfirmLine, LineActs } from "@/components/hosts/enrolment/line-acts";

interface LinesTableProps extends Pick<DataTableProps<EnrolmentLine>, "loading" | "empty" | "problem"> {
  readonly lines: readonly EnrolmentLine[];
  readonly total: number;
  readonly mayAct: boolean;
  readonly onEnd: () => void;
  readonly onDone: () => void;
}

const narrowRowPx = 96;

export function LinesTable({ lines, total, mayAct, onEnd, onDone, ...table }: LinesTableProps) {
  const [asked, setAsked] = useState<EnrolmentLine>();
  const columns = useMemo(() => (mayAct ? [...looks, actsColumn(setAsked)] : looks), [mayAct]);
  return (
    <>
      <DataTable
        {...table}
        caption="Hosts of the enrolment"
        fullWidth
        columns={columns}
        rows={lines}
        rowId={({ line }) => String(line)}
        total={total}
        virtual={{ narrowRowPx, onEnd }}
      />
      {asked === undefined ? null : (
        <ConfirmLine line={asked} onClose={() => setAsked(undefined)} onDone={onDone} />
      )}
    </>
  );
}

/** What is wrong, or what is happening, then what to do. */
const saysText = ({ says, advice, faults }: EnrolmentLine): string =>
  [
    faults.length === 0
      ? says
      : faults.map(({ column, message }) => (column === "" ? message : `${column}: ${message}`)).join("; "),
    advice,
  ]
    .filter((words) => words !== "")
    .join(". ");

const formatIdentity = ({ identity, certificate }: EnrolmentLine): string => {
  const said =
    identity === null
      ? []
      : [identity.manufacturer, identity.model, identity.serial, identity.systemUuid].filter(
          (part) => part !== null,
        );
  return [
    ...said,
    ...(certificate === null ? [] : [`certificate ${formatFingerprint(certificate.sha256).slice(0, 11)}…`]),
  ].join(", ");
};

const column = columnsOf<EnrolmentLine>();

const looks = [
  column.count("line", "Line", ({ line }) => line, { width: 64 }),
  column.cell(
    "host",
    "Host",
    ({ name, host }) =>
      host === null ? (
        <span className="text-quiet">{name ?? "no name"}</span>
      ) : (
        <Link className="text-medium" href={routes.host(host.name)} prefetch={false}>
          {host.name}
        </Link>
      ),
    { width: 152, spaced: true, narrow: "top-start", rowHeader: true },
  ),
  column.cell(
    "stage",
    "Stage",
    ({ stage, host }) => <ChangedMark {...stageLooks[stage]} live={host?.live === true} />,
    { width: 128, narrow: "top-end" },
  ),
  column.cell("state", "State", ({ host }) => host?.state.replaceAll("/", " / "), {
    width: 176,
    from: "wide",
    className: "text-soft",
    title: ({ host }) => host?.state,
  }),
  column.cell("identity", "BMC reports", formatIdentity, {
    width: 216,
    from: "medium",
    className: "text-soft",
    title: (line) =>
      `${formatIdentity(line)}${line.certificate === null ? "" : `\nSHA-256 ${formatFingerprint(line.certificate.sha256)}`}`,
  }),
  column.text("says", "What to do", saysText, { narrow: "line", className: "text-soft" }),
];

const actsColumn = (onConfirm: (line: EnrolmentLine) => void): TableColumn<EnrolmentLine> =>
  column.cell("acts", "Actions", (line) => <LineActs line={line} onConfirm={onConfirm} />, {
    labelHidden: true,
    width: 148,
    align: "end",
    narrow: "bottom-start",
  });
