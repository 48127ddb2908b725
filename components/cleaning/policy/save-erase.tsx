"use client";
// Saves an erase policy after its effect was shown.
import { formatCounted } from "@/components/ui/format/numbers";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { DialogButton } from "@/components/ui/dialogs/dialog-button";
import type { PolicyEffects } from "@/server/surfaces/trpc/types";
import type { EraseValues } from "@/components/cleaning/policy/erase-form";

interface SaveEraseProps {
  readonly told: PolicyEffects;
  /** Exactly the policy whose effect was shown. */
  readonly erase: EraseValues;
  readonly whyNot: string | undefined;
}

export function SaveErase({ whyNot, told, erase }: SaveEraseProps) {
  const { site, siteId, policyVersion } = told;
  const cannot = told.models.reduce((sum, model) => sum + model.cannot, 0);
  return (
    <div className="acts left">
      <DialogButton
        kind="main"
        small={false}
        disabledReason={whyNot}
        dialog={(onClose) => (
          <ActDialog
            title={`Set the erase policy of site ${site}?`}
            consequence={`${
              cannot === 0
                ? ""
                : `${formatCounted(cannot, "known drive")} cannot meet it: their hosts will stop. `
            }Reclamations in progress keep the policy they started with.`}
            confirmWords="Save policy"
            reason
            send={({ reason }, client) =>
              client.policy.setErase.mutate({ siteId, policyVersion, erase, reason })
            }
            said={(saved) => `Policy version ${saved.policyVersion} of site ${site} saved.`}
            stale={(trpc) => [trpc.cleaning.sitePolicy, trpc.site, trpc.policy]}
            onClose={onClose}
          />
        )}
      >
        Save policy…
      </DialogButton>
    </div>
  );
}
