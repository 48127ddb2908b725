"use client";
// Dispositions of this host's missing drives, each with who recorded it and why. Users who may record one may withdraw it.
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { ProofTime } from "@/components/ui/time/time";
import { dispositionTable } from "@/server/domain/cleaning/sanitization/disposition-kinds";
import { signatureLabels } from "@/server/domain/cleaning/sanitization/dispositions";
import type { HostDetail } from "@/server/surfaces/trpc/types";

/** Empty if none was recorded. */
export function DispositionTable({ host, onDone }: { host: HostDetail; onDone: () => void }) {
  const [withdrawn, setWithdrawn] = useState<string>();
  const stated = host.unaccounted.flatMap(({ disposition }) => (disposition === null ? [] : [disposition]));
  const mayWithdraw = host.actions.some(({ intent }) => intent === "disposeDrive");
  if (stated.length === 0) return null;
  return (
    <>
      <div className="sec">
        <h2>Dispositions</h2>
        <span className="sum cut">recorded for drives that are missing</span>
      </div>
      <DataTable
        caption="Dispositions"
        columns={mayWithdraw ? [...columns, withdrawColumn(setWithdrawn)] : columns}
        rows={stated}
        rowId={({ id }) => id}
      />
      {withdrawn === undefined ? null : (
        <ActDialog
          title={`Withdraw the disposition of drive ${withdrawn}?`}
          consequence={`${host.name} owes drive ${withdrawn} again: it must be found and erased, or get another disposition. If the disposition was signed and the host is Ready and not in use, it is checked again before it is allocated. The withdrawn disposition stays on record.`}
          confirmWords="Withdraw"
          reason="For example, where the drive was found."
          send={({ reason }, client) =>
            client.host.withdrawDisposition.mutate({ hostId: host.id, drive: withdrawn, reason })
          }
          said={`Disposition of drive ${withdrawn} withdrawn`}
          onClose={() => setWithdrawn(undefined)}
          onDone={onDone}
        />
      )}
    </>
  );
}

type Stated = NonNullable<HostDetail["unaccounted"][number]["disposition"]>;

const column = columnsOf<Stated>();

const columns = [
  column.name("drive", "Drive", ({ key }) => key, { width: "24%", className: "mono" }),
  column.cell(
    "disposition",
    "Disposition",
    ({ kind, slot }) => (
      <>
        {dispositionTable[kind].words}
        {slot === null ? null : <span className="text-quiet">, {slot}</span>}
      </>
    ),
    { narrow: "bottom-start" },
  ),
  column.text("reason", "Reason", ({ reason }) => reason, { narrow: "line" }),
  column.cell(
    "signature",
    "Signature",
    ({ signature, signedBy }) =>
      signature === "signed" ? `signed by ${signedBy ?? "another person"}` : signatureLabels[signature],
    { narrow: "line" },
  ),
  column.cell(
    "by",
    "Stated by",
    ({ by, at }) => (
      <>
        {by}, <ProofTime at={new Date(at)} />
      </>
    ),
    { narrow: "bottom-end", className: "text-quiet" },
  ),
];

const withdrawColumn = (onWithdraw: (drive: string) => void): TableColumn<Stated> =>
  column.cell(
    "withdraw",
    "Withdraw",
    ({ key }) => (
      <Button small onClick={() => onWithdraw(key)}>
        Withdraw…<span className="visually-hidden"> disposition of drive {key}</span>
      </Button>
    ),
    { labelHidden: true, align: "end", narrow: "top-end" },
  );
