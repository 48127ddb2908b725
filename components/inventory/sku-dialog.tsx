"use client";
// Assigns the SKU that a host is compared with.
import { useSuspenseQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import type { HostAction, HostDetail } from "@/server/surfaces/trpc/types";

interface SkuDialogProps {
  host: HostDetail;
  action: HostAction;
  onClose: () => void;
  onDone: () => void;
}

export function SkuDialog({ host, action, onClose, onDone }: SkuDialogProps) {
  const id = useId();
  const trpc = useTRPC();
  const client = useTRPCClient();
  const { data } = useSuspenseQuery(trpc.cleaning.scopes.queryOptions());
  const [sku, setSku] = useState(host.sku ?? "");
  return (
    <ActDialog
      title={`${action.words}: ${host.name}?`}
      consequence={<p>{action.consequence}</p>}
      confirmWords={action.words}
      send={() => client.host.assignSku.mutate({ hostId: host.id, sku: sku === "" ? null : sku })}
      said={`${host.name}: ${sku === "" ? "no SKU is assigned" : `SKU ${sku} assigned`}`}
      onClose={onClose}
      onDone={onDone}
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
