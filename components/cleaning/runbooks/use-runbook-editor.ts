"use client";
// State of a runbook's page: the edited steps and texts, their faults, and saving.
import { useStore } from "@tanstack/react-form";
import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useMemo, useState } from "react";
import { z } from "zod";
import { useUnsaved } from "@/components/frame/unsaved";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { useAppForm } from "@/components/ui/form/form-kit";
import { useSend } from "@/components/ui/form/use-send";
import { emptyOrder, orderOf, stepsOf, type Order } from "@/components/cleaning/plan/order";
import { useDraft } from "@/components/cleaning/plan/use-draft";
import { useFaults } from "@/components/cleaning/plan/use-estimate";
import { emptyTexts, runbookSchema, type RunbookTexts } from "@/components/cleaning/runbooks/runbook-fields";
import { runbookRefusal } from "@/components/cleaning/runbooks/runbook-text";
import { routes } from "@/server/domain/console/routes";
import { manualStep, type ManualStep } from "@/server/domain/cleaning/plan/manual";
import type { RunbookLine } from "@/server/surfaces/trpc/types";

const textsOf = ({ name, description, traits }: RunbookLine): RunbookTexts => ({
  name,
  description,
  traits: traits.join(", "),
});

/** Edits `saved`; null: a new runbook. */
export function useRunbookEditor(saved: RunbookLine | null, hardwareType: string) {
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
