"use client";
// From the builder: a runbook is opened, or the list is saved as a new one.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialogs/dialog";
import { Skeleton } from "@/components/ui/skeleton";
import { useSay } from "@/components/ui/toast";
import type { ManualStep } from "@/server/domain/cleaning/plan/manual";
import type { RunbookLine } from "@/server/surfaces/trpc/types";
import { missingOf, RunbookFields } from "@/components/runbooks/runbook-fields";
import { stepsWords, traitsOf } from "@/components/runbooks/runbook-words";

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
                {stepsWords(runbook.steps)}; for {runbook.traits.join(", ")}
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
  /** Traits that hosts or runbooks have. */
  traits: readonly string[];
  /** Of the host at hand: proposed. */
  hostTraits: readonly string[];
  onSaved: (runbook: RunbookLine) => void;
  onClose: () => void;
}

export function SaveRunbook({ steps, traits, hostTraits, onSaved, onClose }: SaveRunbookProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const say = useSay();
  const [texts, setTexts] = useState({ name: "", description: "", traits: hostTraits.join(", ") });
  const save = useMutation(
    trpc.cleaning.saveRunbook.mutationOptions({
      onSuccess: async ({ id }) => {
        await queryClient.invalidateQueries({ queryKey: trpc.cleaning.runbooks.queryKey() });
        const saved = await queryClient.fetchQuery(trpc.cleaning.runbook.queryOptions({ id }));
        say(`Runbook ${saved.name} saved`);
        onSaved(saved);
      },
    }),
  );
  const missing = missingOf(texts);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (missing === undefined && !save.isPending)
      save.mutate({
        id: null,
        name: texts.name.trim(),
        description: texts.description.trim(),
        traits: traitsOf(texts.traits),
        steps: [...steps],
      });
  };
  return (
    <Dialog open onClose={onClose} title="Save as a runbook">
      <form onSubmit={submit}>
        <p>{stepsWords(steps)}.</p>
        <RunbookFields texts={texts} onChange={setTexts} known={traits} />
        {save.isError ? (
          <div className="error">
            <ProblemNotice error={save.error} before="It was not saved." />
          </div>
        ) : null}
        <div className="acts">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="main" disabledReason={missing} busy={save.isPending}>
            Save runbook
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
