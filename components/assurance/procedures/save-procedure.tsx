"use client";
// Saves or removes a procedure, after showing what changes.
import { useQuery } from "@tanstack/react-query";
import type { z } from "zod";
import { effectOf, type ShownEffect } from "@/components/cleaning/policy/effect";
import { ChangeTable } from "@/components/assurance/procedures/change-table";
import type { procedureSchema } from "@/components/assurance/procedures/procedure-form";
import { useTRPC } from "@/components/trpc/trpc";
import { ActDialog, type Stale } from "@/components/ui/dialogs/act-dialog";
import { formatCount, formatCounted } from "@/components/ui/format/numbers";
import type { Procedure } from "@/server/domain/assurance/procedures/procedure";
import { procedureChanges, formatWhen } from "@/server/domain/assurance/procedures/text";
import type { ProcedurePreview, SiteProcedures } from "@/server/surfaces/trpc/types";

export type Saved = z.output<typeof procedureSchema>;

interface SaveDialogProps {
  readonly site: SiteProcedures;
  readonly before: Procedure | null;
  readonly next: Saved;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

/** What depends on policies. */
const stale: Stale = (trpc) => [trpc.procedures, trpc.site, trpc.cleaning];

export function SaveDialog({ site, before, next, onSaved, onClose }: SaveDialogProps) {
  const { siteId, policyVersion } = site;
  const { effect, calculating } = useProcedureEffect(site, next);
  return (
    <ActDialog
      reason
      title={
        before === null
          ? `Add ${next.name} to site ${site.site}?`
          : `Change ${next.name} of site ${site.site}?`
      }
      consequence={
        <>
          {effect}
          {before === null ? null : (
            <ChangeTable
              caption="What changes"
              changes={procedureChanges(before, { ...next, version: before.version })}
            />
          )}
          <p>
            Reclamations in progress keep the procedures they started with.
            {before === null ? "" : " Records of earlier versions do not count for the new one."}
          </p>
        </>
      }
      confirmWords="Save procedure"
      missing={calculating}
      send={({ reason }, client) =>
        client.procedures.save.mutate({ siteId, procedure: next, policyVersion, reason })
      }
      said={(saved) => `The policy of site ${site.site} is at version ${saved.policyVersion}.`}
      onClose={onClose}
      stale={stale}
      onAccepted={() => {
        onClose();
        onSaved();
      }}
    />
  );
}

function useProcedureEffect(site: SiteProcedures, { when }: Saved): ShownEffect {
  const trpc = useTRPC();
  const isNever = formatWhen(when) === "";
  const query = useQuery({
    ...trpc.procedures.preview.queryOptions({ siteId: site.siteId, when }),
    enabled: !isNever,
  });
  const never = <p>It is never due: no condition is set. It can still be recorded.</p>;
  const told = query.data === undefined ? undefined : <Told site={site} told={query.data} />;
  return effectOf(query, isNever ? never : told);
}

function Told({ site, told: data }: { readonly site: SiteProcedures; readonly told: ProcedurePreview }) {
  return (
    <p>
      It would now be due in the next reclamation of {formatCount(data.due)} of{" "}
      {formatCounted(data.hosts, "host")} of the site: {formatCount(data.ofSkus)} by SKU,{" "}
      {formatCount(data.ofTenants)} by their tenant, {formatCount(data.inRepair)} held by a repair tenant.
      Failures cannot be predicted. {formatCounted(data.inReclamation, "host")} in a reclamation now.
      {site.required ? "" : " The policy does not require signed procedures, so no host waits for it."}
    </p>
  );
}

interface RemoveDialogProps {
  readonly site: SiteProcedures;
  readonly procedure: Procedure;
  readonly onRemoved: () => void;
  readonly onClose: () => void;
}

export function RemoveDialog({ site, procedure, onRemoved, onClose }: RemoveDialogProps) {
  const { siteId, policyVersion } = site;
  const { name } = procedure;
  return (
    <ActDialog
      reason
      title={`Take ${name} out of the policy of site ${site.site}?`}
      consequence={
        <p>
          Reclamations that begin later do not ask for it. Reclamations in progress still do. Its records
          stay. When it is saved again, it goes on from version {procedure.version + 1}.
        </p>
      }
      confirmWords="Take out"
      send={({ reason }, client) => client.procedures.remove.mutate({ siteId, name, policyVersion, reason })}
      said={(saved) => `The policy of site ${site.site} is at version ${saved.policyVersion}.`}
      onClose={onClose}
      stale={stale}
      onAccepted={() => {
        onClose();
        onRemoved();
      }}
    />
  );
}
