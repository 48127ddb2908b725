"use client";
// Restores an earlier version of a site: shows what would change and what cannot be restored, then saves like any other change.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { Dialog } from "@/components/ui/dialogs/dialog";
import { Check } from "@/components/ui/form/controls";
import { ApplyDialog } from "@/components/sites/apply-dialog";

interface RestoreProps {
  readonly site: string;
  readonly siteId: string;
  readonly version: number;
  readonly onClose: () => void;
}

export function RestoreDialog({ site, siteId, version, onClose }: RestoreProps) {
  const trpc = useTRPC();
  const [shared, setShared] = useState(false);
  const { data, error, refetch } = useQuery({
    ...trpc.site.previewRestore.queryOptions({ site, version, shared }),
    staleTime: 0,
    retry: false,
  });
  if (data === undefined)
    return (
      <Dialog open onClose={onClose} title={`Restore version ${version}`}>
        {error === null ? (
          <p role="status">Calculating the changes…</p>
        ) : (
          <ProblemNotice
            error={error}
            before="The version cannot be restored."
            onRetry={() => void refetch()}
          />
        )}
      </Dialog>
    );
  return (
    <ApplyDialog
      key={`${data.revision} ${String(shared)}`}
      draft={{
        site,
        siteId,
        document: JSON.stringify(data.document),
        revision: data.revision,
        reason: `Restore version ${version}`,
      }}
      onApplied={() => undefined}
      onClose={onClose}
    >
      <p>Restoring makes a new version. Nothing is deleted from the history.</p>
      {data.kept.length === 0 ? null : (
        <ul aria-label="What is not restored">
          {data.kept.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
      <Check checked={shared} onChange={setShared}>
        Also restore SKUs and tenants
      </Check>
    </ApplyDialog>
  );
}
