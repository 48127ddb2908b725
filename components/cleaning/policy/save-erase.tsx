"use client";
// Saves an erase policy after its effect was shown.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { formatCounted } from "@/components/ui/format/numbers";
import { ReasonDialog } from "@/components/ui/form/reason-dialog";
import type { PolicyForesight } from "@/server/surfaces/trpc/types";
import type { EraseValues } from "@/components/cleaning/policy/erase-form";

interface SaveEraseProps {
  readonly told: PolicyForesight;
  /** Exactly the policy whose effect was shown. */
  readonly erase: EraseValues;
  readonly whyNot: string | undefined;
}

export function SaveErase({ whyNot, ...rest }: SaveEraseProps) {
  const [open, setOpen] = useState(false);
  return (
    <div className="acts left">
      <Button kind="main" disabledReason={whyNot} onClick={() => setOpen(true)}>
        Save policy…
      </Button>
      {open ? <SaveDialog {...rest} onClose={() => setOpen(false)} /> : null}
    </div>
  );
}

function SaveDialog({ told, erase, onClose }: Omit<SaveEraseProps, "whyNot"> & { onClose: () => void }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const { site, siteId, policyVersion } = told;
  const cannot = told.models.reduce((sum, model) => sum + model.cannot, 0);
  return (
    <ReasonDialog
      title={`Set the erase policy of site ${site}?`}
      consequence={
        <p>
          {cannot === 0
            ? ""
            : `${formatCounted(cannot, "known drive")} cannot meet it: their hosts will stop. `}
          Reclamations in progress keep the policy they started with.
        </p>
      }
      confirmWords="Save policy"
      send={({ reason }) => client.policy.setErase.mutate({ siteId, policyVersion, erase, reason })}
      said={(saved) => `Policy version ${saved.policyVersion} of site ${site} saved.`}
      onClose={onClose}
      onDone={() => {
        void queryClient.invalidateQueries({ queryKey: trpc.cleaning.sitePolicy.queryKey() });
        void queryClient.invalidateQueries({ queryKey: trpc.site.pathKey() });
        void queryClient.invalidateQueries({ queryKey: trpc.policy.pathKey() });
      }}
    />
  );
}
