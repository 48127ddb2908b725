"use client";
// Adds a repair system.
import { z } from "zod";
import { AddProgramDialog } from "@/components/repair/external-systems/add-external-system";
import { nothingMore, programFields } from "@/components/repair/external-systems/external-system-fields";
import type { AddDialogProps } from "@/components/repair/external-systems/external-systems-page";
import { useTRPCClient } from "@/components/trpc/trpc";
import { systemName } from "@/server/domain/repair/leases/lease";

const schema = z.object(programFields(systemName, nothingMore));

export function AddSystemDialog(props: AddDialogProps) {
  const client = useTRPCClient();
  return (
    <AddProgramDialog
      {...props}
      kind="repair system"
      consequence="It can take clean hosts that cannot be allocated, and operators can hand hosts over to it. Reclaim sends nothing to a host it holds until the host is returned."
      schema={schema}
      send={({ name, site }) => client.leases.addSystem.mutate({ name, site })}
    />
  );
}
