"use client";
// One runbook in the builder: its steps, name and traits, with buttons to save, run and delete it; or a new runbook.
import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { CleaningHead } from "@/components/frame/cleaning-head";
import { Builder } from "@/components/cleaning/plan/builder";
import { DraftNotice } from "@/components/cleaning/plan/draft-notice";
import { RunbookFields, runbookSchema } from "@/components/cleaning/runbooks/runbook-fields";
import { useRunbookEditor } from "@/components/cleaning/runbooks/use-runbook-editor";
import { Refused } from "@/components/trpc/problem-notice";
import type { Problem } from "@/components/trpc/query-client";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { useSubmit } from "@/components/ui/form/use-send";
import { formatCount, formatCounted } from "@/components/ui/format/numbers";
import { routes } from "@/server/domain/console/routes";
import type { RunbookLine } from "@/server/surfaces/trpc/types";

interface RunbookPageProps {
  /** Null for a new one. */
  id: string | null;
  /** The hardware type whose steps can be chosen. */
  hardwareType: string;
}

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

function RunbookEditor({ saved, hardwareType }: { saved: RunbookLine | null; hardwareType: string }) {
  const { scopes, catalogue, order, setOrder, steps, faults, stepsChanged, form, problem, missing, draft } =
    useRunbookEditor(saved, hardwareType);
  return (
    <form.AppForm>
      <CleaningHead
        what={saved === null ? "a new runbook" : headText(saved)}
        acts={
          saved === null ? undefined : (
            <RunbookActs saved={saved} mayWrite={scopes.mayWriteRunbooks} mayClean={scopes.mayClean} />
          )
        }
      />
      <div className="above">
        {draft.restored ? <DraftNotice onDiscard={draft.discard} /> : null}
        {saved?.hosts === 0 ? <NoHost saved={saved} mayClean={scopes.mayClean} /> : null}
      </div>
      <Builder
        steps={catalogue.steps}
        ofOneHost={false}
        order={order}
        onChange={setOrder}
        faults={faults}
        sum={formatCounted(steps.length, "step")}
        below={
          <>
            <div className="sec">
              <h2>Runbook</h2>
            </div>
            <RunbookFields form={form} known={scopes.traits} skus={scopes.skus} />
          </>
        }
        foot={
          <SaveFoot
            words={saved === null ? "Save runbook" : "Save changes"}
            missing={missing}
            edits={saved !== null && !stepsChanged}
            problem={problem}
          />
        }
      />
    </form.AppForm>
  );
}

/** A runbook that cannot run on any host says what would change that. */
function NoHost({ saved, mayClean }: { saved: RunbookLine; mayClean: boolean }) {
  return (
    <Notice
      tone="attention"
      act={
        mayClean ? (
          <Link className="btn small" href={routes.cleaning.manual({ runbook: saved.id })}>
            Choose a host…
          </Link>
        ) : undefined
      }
    >
      No host has {saved.traits.join(" or ")}, so this runbook cannot run anywhere yet. Add the trait to a
      host that the runbook is for, or change the traits below.
    </Notice>
  );
}

/** "runbook Blink, version 2; 3 hosts share a trait with it". */
const headText = ({ name, version, hosts }: RunbookLine): string =>
  `runbook ${name}, version ${version}; ${hosts === 1 ? "1 host shares" : `${formatCount(hosts)} hosts share`} a trait with it`;

interface SaveFootProps {
  words: string;
  missing: string | undefined;
  edits: boolean;
  problem: Problem | undefined;
}

function SaveFoot({ words, missing: refusal, edits, problem }: SaveFootProps) {
  const { submit, busy, missing } = useSubmit({ schema: runbookSchema, missing: refusal, edits });
  return (
    <>
      <Button kind="main" disabledReason={missing} busy={busy} onClick={submit}>
        {words}
      </Button>
      <p className="why after">{missing ?? "Runs that were already requested keep their list."}</p>
      <Refused problem={problem} />
    </>
  );
}

interface RunbookActsProps {
  saved: RunbookLine;
  mayWrite: boolean;
  mayClean: boolean;
}

function RunbookActs({ saved, mayWrite, mayClean }: RunbookActsProps) {
  const [deleting, setDeleting] = useState(false);
  return (
    <>
      {mayClean ? (
        <Link className="btn" href={routes.cleaning.manual({ runbook: saved.id })}>
          Run on hosts…
        </Link>
      ) : null}
      <Button
        onClick={() => setDeleting(true)}
        disabledReason={mayWrite ? undefined : "Your role may not write runbooks"}
      >
        Delete runbook…
      </Button>
      {deleting ? <DeleteDialog saved={saved} onClose={() => setDeleting(false)} /> : null}
    </>
  );
}

/** Returns to the list after deleting. */
function DeleteDialog({ saved, onClose }: { saved: RunbookLine; onClose: () => void }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const router = useRouter();
  const remove = async () => {
    await client.cleaning.removeRunbook.mutate({ id: saved.id, version: saved.version });
    router.push(routes.cleaning.runbooks());
    void queryClient.invalidateQueries({ queryKey: trpc.cleaning.runbooks.queryKey() });
  };
  return (
    <ActDialog
      title={`Delete runbook ${saved.name}?`}
      consequence={
        <p>
          Nobody can run it any more. Requested runs continue, and histories keep their steps. This cannot be
          undone.
        </p>
      }
      confirmWords={`Delete ${saved.name}`}
      send={remove}
      said={`Runbook ${saved.name} deleted`}
      onClose={onClose}
      typeName={saved.name}
    />
  );
}
