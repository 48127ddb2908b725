"use client";
// Assigns the SKU that a host is compared with.
import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { problemOf } from "@/components/trpc/query-client";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Notice } from "@/components/ui/notice";
import { useSay } from "@/components/ui/toast";
import type { HostAction, HostDetail } from "@/server/surfaces/trpc/types";

export function SkuDialog({ host, action, onClose, onDone }: { host: HostDetail; action: HostAction; onClose: () => void; onDone: () => void }) {
  const id = useId();
  const say = useSay();
  const trpc = useTRPC();
  const client = useTRPCClient();
  const { data } = useSuspenseQuery(trpc.cleaning.scopes.queryOptions());
  const [sku, setSku] = useState(host.sku ?? "");
  const act = useMutation({
    mutationFn: () => client.host.assignSku.mutate({ hostId: host.id, sku: sku === "" ? null : sku }),
    onSuccess: () => {
      say(`${host.name}: ${sku === "" ? "no SKU is assigned" : `SKU ${sku} assigned`}`);
      onDone();
      onClose();
    },
  });
  const problem = act.error === null ? undefined : problemOf(act.error);
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`${action.words}: ${host.name}?`}
      consequence={<p>{action.consequence}</p>}
      confirmWords={action.words}
      cancelWords="Leave it"
      busy={act.isPending}
      error={problem === undefined ? null : <Notice tone="failed" requestId={problem.requestId}>{problem.words}</Notice>}
      onConfirm={() => act.mutate()}
      missing={sku === (host.sku ?? "") ? "Choose another SKU first" : undefined}
      field={
        <div className="field">
          <label htmlFor={`${id}-sku`}>SKU</label>
          <div className="input">
            <select id={`${id}-sku`} value={sku} onChange={(event) => setSku(event.target.value)}>
              <option value="">none</option>
              {data.skus.map(({ id: skuId, name }) => (
                <option key={skuId} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </div>
        </div>
      }
    />
  );
}
