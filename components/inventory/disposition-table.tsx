"use client";
// What people stated of this host's missing drives, each with who and why; those who may record one may withdraw it.
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Time } from "@/components/ui/time/time";
import { dispositionTable } from "@/server/domain/sanitization/disposition-kinds";
import type { HostDetail } from "@/server/surfaces/trpc/types";
import { WithdrawDialog } from "@/components/inventory/withdraw-dialog";

/** Nothing where nothing was stated. */
export function DispositionTable({ host, onDone }: { host: HostDetail; onDone: () => void }) {
  const [withdrawn, setWithdrawn] = useState<string>();
  const stated = host.unaccounted.flatMap(({ disposition }) => (disposition === null ? [] : [disposition]));
  const mayWithdraw = host.actions.some(({ intent }) => intent === "disposeDrive");
  if (stated.length === 0) return null;
  return (
    <>
      <div className="sec">
        <h2>Dispositions</h2>
        <span className="sum cut">what people stated of drives that are not there</span>
      </div>
      <table className="t dispositions" aria-label="Dispositions">
        <thead>
          <tr>
            <th scope="col" className="wide-serial">
              Drive
            </th>
            <th scope="col">Disposition</th>
            <th scope="col">Reason</th>
            <th scope="col">Stated by</th>
            {mayWithdraw ? (
              <th scope="col" className="r">
                <span className="vh">Withdraw</span>
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {stated.map(({ id, key, kind, slot, reason, by, at }) => (
            <tr key={id}>
              <td data-m="a" className="mono">
                {key}
              </td>
              <td data-m="c">
                {dispositionTable[kind].words}
                {slot === null ? null : <span className="n10">, {slot}</span>}
              </td>
              <td data-m="w">{reason}</td>
              <td data-m="d" className="n10">
                {by}, <Time at={new Date(at)} />
              </td>
              {mayWithdraw ? (
                <td data-m="b" className="r">
                  <Button small onClick={() => setWithdrawn(key)}>
                    Withdraw…<span className="vh"> disposition of drive {key}</span>
                  </Button>
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
      {withdrawn === undefined ? null : (
        <WithdrawDialog
          host={host}
          drive={withdrawn}
          onClose={() => setWithdrawn(undefined)}
          onDone={onDone}
        />
      )}
    </>
  );
}
