// The tables on a drive's page, other than its erases.
import { Empty } from "@/components/ui/empty";
import { Mark } from "@/components/ui/mark";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { ProofTime, proofTimeWidth } from "@/components/ui/time/time";
import type { DriveDetail, DriveStay } from "@/server/surfaces/trpc/types";
import { HostLink } from "@/components/hosts/drives/drive-cells";

type Failure = DriveDetail["failures"][number];
type Disposition = DriveDetail["dispositions"][number];

const hostColumn: TableColumn<Pick<DriveStay, "host">> = {
  id: "host",
  label: "Host",
  narrow: "top-start",
  rowHeader: true,
  cell: ({ host }) => <HostLink host={host} />,
};

const whenColumn: TableColumn<{ readonly at: Date }> = {
  id: "at",
  label: "When",
  width: proofTimeWidth,
  align: "end",
  narrow: "top-end",
  className: "text-quiet",
  cell: ({ at }) => <ProofTime at={at} />,
};

const driveStayColumn = columnsOf<DriveStay>();

const stayColumns: readonly TableColumn<DriveStay>[] = [
  hostColumn,
  driveStayColumn.text("slot", "Slot", ({ slot }) => slot, { narrow: "top-end", className: "text-quiet" }),
  driveStayColumn.proofTime("from", "From", ({ from }) => from, {
    narrow: "bottom-start",
    className: "text-quiet",
  }),
  driveStayColumn.cell(
    "until",
    "Until",
    ({ until, readAt, lackedAt }) =>
      until !== null ? (
        <ProofTime at={until} />
      ) : (
        <>
          now
          {readAt === null ? null : (
            <span className="text-quiet">
              , as read <ProofTime at={readAt} />
            </span>
          )}
          {lackedAt === null ? null : (
            <span className="text-quiet">
              ; missing from the inventory of <ProofTime at={lackedAt} />
            </span>
          )}
        </>
      ),
    { narrow: "bottom-end" },
  ),
];

export const StaysTable = ({ stays }: { stays: readonly DriveStay[] }) => (
  <DataTable
    caption="Hosts of this drive"
    columns={stayColumns}
    rows={stays}
    rowId={({ host, from }) => `${host.id} ${from.toISOString()}`}
    empty={
      <Empty title="No host has listed it">It appears only in erase results, not in any inventory.</Empty>
    }
  />
);

const failureColumn = columnsOf<Failure>();

const failureColumns: readonly TableColumn<Failure>[] = [
  { ...hostColumn, width: "18%" },
  failureColumn.cell(
    "state",
    "State",
    ({ state }) => (
      <span className="marked-text">
        <Mark tone="failed" label="" />
        <span className="cut">{state}</span>
      </span>
    ),
    { width: "22%", narrow: "bottom-start" },
  ),
  failureColumn.text("words", "What happened", ({ words }) => words, {
    narrow: "line",
    className: "wrapping",
  }),
  whenColumn,
];

export const FailuresTable = ({ failures }: { failures: readonly Failure[] }) => (
  <DataTable
    caption="Failures"
    columns={failureColumns}
    rows={failures}
    rowId={({ host, at, state }) => `${host.id} ${at.toISOString()} ${state}`}
    empty={<Empty title="No failure names it">No host stopped because of this drive.</Empty>}
  />
);

const dispositionColumn = columnsOf<Disposition>();

const dispositionColumns: readonly TableColumn<Disposition>[] = [
  { ...hostColumn, width: "18%" },
  dispositionColumn.cell(
    "words",
    "Stated",
    ({ words, slot, withdrawn }) => (
      <span className={withdrawn === null ? undefined : "text-faint"}>
        {words}
        {slot === null ? null : `, ${slot}`}
        {withdrawn === null ? null : (
          <>
            ; withdrawn <ProofTime at={withdrawn.at} />
            {withdrawn.reason === null ? null : `: ${withdrawn.reason}`}
          </>
        )}
      </span>
    ),
    { width: "30%", narrow: "bottom-start", className: "wrapping" },
  ),
  dispositionColumn.text("reason", "Reason", ({ reason }) => reason, {
    narrow: "line",
    className: "text-quiet wrapping",
  }),
  dispositionColumn.text("by", "By", ({ by }) => by, { from: "medium", width: 160 }),
  whenColumn,
];

export const DispositionsTable = ({ dispositions }: { dispositions: readonly Disposition[] }) => (
  <DataTable
    caption="Dispositions"
    columns={dispositionColumns}
    rows={dispositions}
    rowId={({ at, words }) => `${at.toISOString()} ${words}`}
    empty={
      <Empty title="No dispositions">
        The disposition of a missing drive is recorded on its host&apos;s page.
      </Empty>
    }
  />
);
