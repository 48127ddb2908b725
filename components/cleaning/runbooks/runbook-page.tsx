"use client";
// One runbook in the builder: its steps, name and traits, with buttons to save, run and delete it; or a new runbook.
import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { CleaningHead } from "@/components/frame/cleaning-head";
import { Builder } from "@/components/cleaning/plan/builder";
import { DraftNotice } from "@/components/cleaning/plan/draft-notice";
import {
  emptyTexts,
  runbookSchema,
  runbookSpecs,
  type RunbookTexts,
} from "@/components/cleaning/runbooks/runbook-fields";
import { Refused } from "@/components/trpc/problem-notice";
import type { Problem } from "@/components/trpc/query-client";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { DialogButton } from "@/components/ui/dialogs/dialog-button";
import { Fields } from "@/components/ui/form/fields";
import { useSend, useSubmit } from "@/components/ui/form/use-send";
import { formatCount, formatCounted } from "@/server/domain/numbers";
import { routes } from "@/server/domain/console/routes";
import type { RunbookLine } from "@/server/surfaces/trpc/types";
import { useStore } from "@tanstack/react-form";
import { useEffect, useMemo, useState } from "react";
import { z } from "zod";
import { useUnsaved } from "@/components/frame/unsaved";
import { useAppForm } from "@/components/ui/form/form-kit";
import { emptyOrder, type Order, orderOf, stepsOf } from "@/components/cleaning/plan/order";
import { useDraft } from "@/components/cleaning/plan/use-draft";
import { useFaults } from "@/components/cleaning/plan/use-estimate";
import { runbookRefusal } from "@/components/cleaning/runbooks/runbook-text";
import { manualStep, type ManualStep } from "@/server/domain/cleaning/plan/manual";

const textsOf = ({ name, description, traits }: RunbookLine): RunbookTexts => ({
  name,
  description,
  traits: traits.join(", "),
});

/** Edits `saved`; null: a new runbook. */
function useRunbookEditor(saved: RunbookLine | null, hardwareType: string) {
  const trpc = useTRPC();
  const { data: scopes } = useSuspenseQuery(trpc.cleaning.scopes.queryOptions());
  const { data: catalogue } = useSuspenseQuery(
    trpc.cleaning.catalogue.queryOptions({ kind: "hardwareType", hardwareType }),
  );
  const [order, setOrder] = useState(() => (saved === null ? emptyOrder : orderOf(saved.steps)));
  const steps = useMemo(() => stepsOf(order), [order]);
  const faults = useFaults(steps, catalogue.steps);
  const stepsChanged =
    JSON.stringify(steps) !== JSON.stringify(saved === null ? [] : stepsOf(orderOf(saved.steps)));
  const { form, problem, texts, sent } = useRunbookForm(saved, steps);
  const draft = useRunbookDraft({ saved, form, steps, texts, sent, setOrder });
  const typed = useStore(form.store, (state) => !state.isDefaultValue);
  useUnsaved(
    stepsChanged || typed
      ? saved === null
        ? "The new runbook is not saved."
        : `The changes to runbook ${saved.name} are not saved.`
      : undefined,
    draft.drop,
  );
  const missing = runbookRefusal(scopes, steps, faults);
  return { scopes, catalogue, order, setOrder, steps, faults, stepsChanged, form, problem, missing, draft };
}

const draftSchema = z.object({
  steps: z.array(manualStep),
  texts: z.object({ name: z.string(), description: z.string(), traits: z.string() }),
});

type RunbookFormKit = ReturnType<typeof useRunbookForm>;

/** Keeps the edited steps and texts until saved or discarded; each version of the runbook has its own draft. */
function useRunbookDraft({
  saved,
  form,
  steps,
  texts,
  sent,
  setOrder,
}: {
  readonly saved: RunbookLine | null;
  readonly form: RunbookFormKit["form"];
  readonly steps: ManualStep[];
  readonly texts: RunbookTexts;
  readonly sent: boolean;
  readonly setOrder: (order: Order) => void;
}) {
  const typed = useStore(form.store, ({ values }) => values);
  const [begun] = useState({ steps, texts });
  const restore = (kept: typeof begun) => {
    setOrder(orderOf(kept.steps));
    form.setFieldValue("name", kept.texts.name);
    form.setFieldValue("description", kept.texts.description);
    form.setFieldValue("traits", kept.texts.traits);
  };
  const draft = useDraft({
    name: saved === null ? "runbook new" : `runbook ${saved.id} ${saved.version}`,
    value: { steps, texts: typed },
    initial: begun,
    schema: draftSchema,
    onRestore: restore,
  });
  const { drop } = draft;
  useEffect(() => {
    if (sent) drop();
  }, [drop, sent]);
  return {
    ...draft,
    discard: () => {
      restore(begun);
      drop();
    },
  };
}

/** Saving a new runbook opens its page; saving an existing one refetches it. */
function useRunbookForm(saved: RunbookLine | null, steps: ManualStep[]) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const router = useRouter();
  const refresh = () => queryClient.invalidateQueries({ queryKey: trpc.cleaning.pathKey() });
  const { send, problem } = useSend({ onAccepted: () => undefined, onDone: () => undefined });
  const [sent, setSent] = useState(false);
  const [texts] = useState(() => (saved === null ? emptyTexts : textsOf(saved)));
  const form = useAppForm({
    defaultValues: texts,
    validators: { onChange: runbookSchema },
    onSubmit: ({ value, formApi }) => {
      const runbook = { ...runbookSchema.parse(value), steps };
      const which = saved === null ? { id: null } : { id: saved.id, version: saved.version };
      return send(formApi, `Runbook ${runbook.name} saved`, async () => {
        const { id } = await client.cleaning.saveRunbook.mutate({ ...which, ...runbook });
        setSent(true);
        if (saved === null) router.push(routes.cleaning.runbook(id));
        await refresh();
      });
    },
  });
  return { form, problem, texts, sent };
}

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
