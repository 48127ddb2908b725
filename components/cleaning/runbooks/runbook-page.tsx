"use client";
// One runbook in the builder: its steps, name and traits, with buttons to save, run and delete it; or a new runbook.
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { CleaningHead } from "@/components/frame/cleaning-head";
import { Builder } from "@/components/cleaning/plan/builder";
import { DraftNotice } from "@/components/cleaning/plan/draft-notice";
import { runbookSchema, runbookSpecs } from "@/components/cleaning/runbooks/runbook-fields";
import { useRunbookEditor } from "@/components/cleaning/runbooks/use-runbook-editor";
import { Refused } from "@/components/trpc/problem-notice";
import type { Problem } from "@/components/trpc/query-client";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { DialogButton } from "@/components/ui/dialogs/dialog-button";
import { Fields } from "@/components/ui/form/fields";
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
            <form.Subscribe selector={({ values }) => values.traits}>
              {(text) => (
                <Fields
                  form={form}
                  fields={runbookSpecs({
                    ...{ known: scopes.traits, skus: scopes.skus, text },
                    onChange: (traits) => form.setFieldValue("traits", traits),
                  })}
                />
              )}
            </form.Subscribe>
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

/** Returns to the list after deleting. */
function RunbookActs({ saved: { id, version, name }, mayWrite, mayClean }: RunbookActsProps) {
  const router = useRouter();
  return (
    <>
      {mayClean ? (
        <Link className="btn" href={routes.cleaning.manual({ runbook: id })}>
          Run on hosts…
        </Link>
      ) : null}
      <DialogButton
        small={false}
        disabledReason={mayWrite ? undefined : "Your role may not write runbooks"}
        dialog={(onClose) => (
          <ActDialog
            title={`Delete runbook ${name}?`}
            consequence="Nobody can run it any more. Requested runs continue, and histories keep their steps. This cannot be undone."
            confirmWords={`Delete ${name}`}
            typeName={name}
            send={async (_, client) => {
              await client.cleaning.removeRunbook.mutate({ id, version });
              router.push(routes.cleaning.runbooks());
            }}
            said={`Runbook ${name} deleted`}
            stale={(trpc) => [trpc.cleaning.runbooks]}
            onClose={onClose}
          />
        )}
      >
        Delete runbook…
      </DialogButton>
    </>
  );
}
