"use client";
// The builder's dialogs: open a runbook, or save the list as a new one.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialogs/dialog";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { Skeleton } from "@/components/ui/skeleton";
import type { ManualStep } from "@/server/domain/cleaning/plan/manual";
import type { RunbookLine } from "@/server/surfaces/trpc/types";
import { emptyTexts, runbookSchema, runbookSpecs } from "@/components/cleaning/runbooks/runbook-fields";
import { formatSteps } from "@/components/cleaning/runbooks/runbook-text";

export function OpenRunbook({
  onOpen,
  onClose,
}: {
  onOpen: (runbook: RunbookLine) => void;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const runbooks = useQuery(trpc.cleaning.runbooks.queryOptions());
  return (
    <Dialog open onClose={onClose} title="Open a runbook">
      {runbooks.isError ? (
        <ProblemNotice
          error={runbooks.error}
          before="The runbooks could not be read."
          onRetry={() => void runbooks.refetch()}
        />
      ) : null}
      {runbooks.isPending ? <Skeleton rows={3} /> : null}
      {runbooks.data?.length === 0 ? <p>No runbooks yet. Build a list of steps and save it.</p> : null}
      <ul className="choices" aria-label="Runbooks">
        {runbooks.data?.map((runbook) => (
          <li key={runbook.id}>
            <button type="button" onClick={() => onOpen(runbook)}>
              <b className="text-medium">{runbook.name}</b>
              <span className="why">
                {formatSteps(runbook.steps)}; for {runbook.traits.join(", ")}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p>The current list is replaced.</p>
      <div className="acts">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

interface SaveRunbookProps {
  steps: readonly ManualStep[];
  /** Traits known from hosts or runbooks. */
  traits: readonly string[];
  /** The current host's traits, as suggestions. */
  hostTraits: readonly string[];
  skus: readonly { readonly name: string }[];
  onSaved: (runbook: RunbookLine) => void;
  onClose: () => void;
}

export function SaveRunbook({ steps, traits, hostTraits, skus, onSaved, onClose }: SaveRunbookProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return (
    <ActFormDialog
      title="Save as a runbook"
      consequence={`${formatSteps(steps)}.`}
      confirmWords="Save runbook"
      schema={runbookSchema}
      values={{ ...emptyTexts, traits: hostTraits.join(", ") }}
      fields={(values, set) =>
        runbookSpecs({ known: traits, skus, text: values.traits, onChange: (text) => set("traits", text) })
      }
      send={async (runbook, client) => {
        const { id } = await client.cleaning.saveRunbook.mutate({ id: null, ...runbook, steps: [...steps] });
        onSaved(await queryClient.fetchQuery(trpc.cleaning.runbook.queryOptions({ id })));
      }}
      said={(_, { name }) => `Runbook ${name} saved`}
      stale={() => [trpc.cleaning.runbooks]}
      onClose={onClose}
    />
  );
}
