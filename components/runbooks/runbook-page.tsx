"use client";
// One runbook in the builder: its steps, name and traits; saved, run or deleted from here. Without a runbook: a new one.
import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useMemo, useState } from "react";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { formatCount, formatCounted } from "@/components/ui/format/numbers";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialogs/confirm-dialog";
import { Notice } from "@/components/ui/notice";
import { useSay } from "@/components/ui/toast";
import { problemOf } from "@/components/trpc/query-client";
import type { RunbookLine } from "@/server/surfaces/trpc/types";
import { Builder } from "@/components/plans/builder";
import { emptyOrder, orderOf, stepsOf } from "@/components/plans/order";
import { CleaningHead } from "@/components/frame/cleaning-head";
import { useFaults } from "@/components/plans/use-estimate";
import {
  emptyTexts,
  missingOf,
  RunbookFields,
  type RunbookTexts,
} from "@/components/runbooks/runbook-fields";
import { traitsOf } from "@/components/runbooks/runbook-words";
import { routes } from "@/server/domain/console/routes";

interface RunbookPageProps {
  /** Null: a new one. */
  id: string | null;
  /** Whose steps can be chosen. */
  hardwareType: string;
}

const textsOf = ({ name, description, traits }: RunbookLine): RunbookTexts => ({
  name,
  description,
  traits: traits.join(", "),
});

export function RunbookPage({ id, hardwareType }: RunbookPageProps) {
  return id === null ? (
    <RunbookEditor saved={null} hardwareType={hardwareType} />
  ) : (
    <SavedRunbook id={id} hardwareType={hardwareType} />
  );
}

function SavedRunbook({ id, hardwareType }: { id: string; hardwareType: string }) {
  const trpc = useTRPC();
  const { data: saved } = useSuspenseQuery(trpc.cleaning.runbook.queryOptions({ id }));
  return <RunbookEditor key={saved.version} saved={saved} hardwareType={hardwareType} />;
}

/** Saving gives a new runbook its page, and reads the saved one again; removing leads back to the list. */
function useRunbookActs(saved: RunbookLine | null) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const say = useSay();
  const refresh = () => queryClient.invalidateQueries({ queryKey: trpc.cleaning.pathKey() });
  const save = useMutation(
    trpc.cleaning.saveRunbook.mutationOptions({
      onSuccess: async ({ id }, { name }) => {
        say(`Runbook ${name} saved`);
        if (saved === null) router.push(routes.cleaning.runbook(id));
        await refresh();
      },
    }),
  );
  const remove = useMutation(
    trpc.cleaning.removeRunbook.mutationOptions({
      onSuccess: () => {
        say(`Runbook ${saved?.name ?? ""} deleted`);
        router.push(routes.cleaning.runbooks());
        void queryClient.invalidateQueries({ queryKey: trpc.cleaning.runbooks.queryKey() });
      },
    }),
  );
  return { save, remove };
}

function RunbookEditor({ saved, hardwareType }: { saved: RunbookLine | null; hardwareType: string }) {
  const trpc = useTRPC();
  const { data: scopes } = useSuspenseQuery(trpc.cleaning.scopes.queryOptions());
  const { data: catalogue } = useSuspenseQuery(
    trpc.cleaning.catalogue.queryOptions({ kind: "hardwareType", hardwareType }),
  );
  const [order, setOrder] = useState(() => (saved === null ? emptyOrder : orderOf(saved.steps)));
  const [texts, setTexts] = useState(() => (saved === null ? emptyTexts : textsOf(saved)));
  const [deleting, setDeleting] = useState(false);
  const steps = useMemo(() => stepsOf(order), [order]);
  const faults = useFaults(steps, catalogue.steps);
  const { save, remove } = useRunbookActs(saved);
  const changed =
    saved === null ||
    JSON.stringify([steps, texts.name.trim(), texts.description.trim(), traitsOf(texts.traits)]) !==
      JSON.stringify([stepsOf(orderOf(saved.steps)), saved.name, saved.description, saved.traits]);
  const missing = !scopes.mayWriteRunbooks
    ? "Your role may not write runbooks"
    : steps.length === 0
      ? "Add a step first"
      : faults.length > 0
        ? "A step is not complete"
        : (missingOf(texts) ?? (changed ? undefined : "No changes"));
  const body = {
    name: texts.name.trim(),
    description: texts.description.trim(),
    traits: traitsOf(texts.traits),
    steps,
  };
  const problem = remove.error === null ? undefined : problemOf(remove.error);
  return (
    <>
      <CleaningHead
        what={
          saved === null
            ? "a new runbook"
            : `runbook ${saved.name}, version ${saved.version}; ${saved.hosts === 1 ? "1 host shares" : `${formatCount(saved.hosts)} hosts share`} a trait with it`
        }
        acts={
          saved === null ? undefined : (
            <>
              <Link className="btn" href={routes.cleaning.manual({ runbook: saved.id })}>
                Run on hosts…
              </Link>
              <Button
                onClick={() => setDeleting(true)}
                disabledReason={scopes.mayWriteRunbooks ? undefined : "Your role may not write runbooks"}
              >
                Delete runbook…
              </Button>
            </>
          )
        }
      />
      <Builder
        steps={catalogue.steps}
        ofOneHost={false}
        order={order}
        onChange={setOrder}
        faults={faults}
        estimates={[]}
        sum={formatCounted(steps.length, "step")}
        below={
          <>
            <div className="sec">
              <h2>Runbook</h2>
            </div>
            <RunbookFields texts={texts} onChange={setTexts} known={scopes.traits} />
          </>
        }
        foot={
          <>
            <Button
              kind="main"
              disabledReason={missing}
              busy={save.isPending}
              onClick={() =>
                save.mutate({
                  id: saved?.id ?? null,
                  ...(saved === null ? {} : { version: saved.version }),
                  ...body,
                })
              }
            >
              {saved === null ? "Save runbook" : "Save changes"}
            </Button>
            <p className="why after">{missing ?? "Runs that were already requested keep their list."}</p>
            {save.isError ? <ProblemNotice error={save.error} before="It was not saved." /> : null}
          </>
        }
      />
      {saved === null || !deleting ? null : (
        <ConfirmDialog
          open
          onClose={() => setDeleting(false)}
          title={`Delete runbook ${saved.name}?`}
          consequence={
            <p>
              Nobody can run it any more; runs that are asked for already go on, and histories keep their
              steps. This cannot be undone.
            </p>
          }
          confirmWords={`Delete ${saved.name}`}
          cancelWords="Cancel"
          busy={remove.isPending}
          onConfirm={() => remove.mutate({ id: saved.id, version: saved.version })}
          typeName={saved.name}
          error={
            problem === undefined ? null : (
              <Notice tone="failed" requestId={problem.requestId}>
                {problem.words}
              </Notice>
            )
          }
        />
      )}
    </>
  );
}
