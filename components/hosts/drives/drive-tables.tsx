// The tables on a drive's page, other than its erases.
import { Empty } from "@/components/ui/empty";
import { Mark } from "@/components/ui/mark";
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

const stayColumns: readonly TableColumn<DriveStay>[] = [
  hostColumn,
  { id: "slot", label: "Slot", narrow: "top-end", className: "text-quiet", cell: ({ slot }) => slot ?? "–" },
  {
    id: "from",
    label: "From",
    narrow: "bottom-start",
    className: "text-quiet",
    cell: ({ from }) => <ProofTime at={from} />,
  },
  {
    id: "until",
    label: "Until",
    narrow: "bottom-end",
    cell: ({ until, readAt, lackedAt }) =>
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
  },
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

const failureColumns: readonly TableColumn<Failure>[] = [
  { ...hostColumn, width: "18%" },
  {
    id: "state",
    label: "State",
    width: "22%",
    narrow: "bottom-start",
    cell: ({ state }) => (
      <span className="marked-text">
        <Mark tone="failed" label="" />
        <span className="cut">{state}</span>
      </span>
    ),
  },
  { id: "words", label: "What happened", narrow: "line", className: "wrapping", cell: ({ words }) => words },
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

const dispositionColumns: readonly TableColumn<Disposition>[] = [
  { ...hostColumn, width: "18%" },
  {
    id: "words",
    label: "Stated",
    width: "30%",
    narrow: "bottom-start",
    className: "wrapping",
    cell: ({ words, slot, withdrawn }) => (
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
  },
  {
    id: "reason",
    label: "Reason",
    narrow: "line",
    className: "text-quiet wrapping",
    cell: ({ reason }) => reason,
  },
  { id: "by", label: "By", from: "medium", width: 160, cell: ({ by }) => by },
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
