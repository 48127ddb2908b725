"use client";
// Overrides a step's priority for a site, a SKU or a host; previews the resulting order and ties before saving.
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useStore } from "@tanstack/react-form";
import { useState } from "react";
import { z } from "zod";
import { calculatingWords, effectOf, noEffect, type ShownEffect } from "@/components/cleaning/policy/effect";
import { usePolicyEffect } from "@/components/cleaning/policy/policy-effect";
import { problemOf } from "@/components/trpc/query-client";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Breakable } from "@/components/ui/breakable";
import { formatCount, formatCounted } from "@/server/domain/numbers";
import { Button } from "@/components/ui/button";
import { Fields } from "@/components/ui/form/fields";
import { useAppForm } from "@/components/ui/form/form-kit";
import { PageForm } from "@/components/ui/form/page-form";
import { typedValue } from "@/components/ui/form/schemas";
import { useSend } from "@/components/ui/form/use-send";
import { Notice } from "@/components/ui/notice";
import { useSay } from "@/components/ui/toast";
import { leftOutMeaning } from "@/server/domain/assurance/standing";
import { effectLabels } from "@/server/domain/cleaning/policy/effect";
import { maxPriority, type OverrideScope } from "@/server/domain/cleaning/plan/priorities";
import type { CatalogueStep, OverridePreview } from "@/server/surfaces/trpc/types";

/** The scope that the override would apply to. */
export interface EditedScope {
  readonly scope: OverrideScope;
  readonly scopeId: string;
  /** Such as "site a". */
  readonly words: string;
}

interface OverrideEditorProps {
  step: CatalogueStep;
  at: EditedScope;
  onClose: () => void;
}

/** The typed number; undefined if it is not a valid priority. */
function priorityOf(text: string): number | undefined {
  const trimmed = text.trim();
  return /^\d{1,4}$/.test(trimmed) && Number(trimmed) <= maxPriority ? Number(trimmed) : undefined;
}

const schema = z.object({
  priority: typedValue(priorityOf, `A whole number from 0 to ${maxPriority}`),
});

const overrideName = (step: CatalogueStep, { scope, scopeId }: EditedScope) =>
  ({ scope, scopeId, interface: step.interface, step: step.step }) as const;

/** Refetches plans and catalogues after an override changed. */
function useRefreshCleaning(): () => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () => void queryClient.invalidateQueries({ queryKey: trpc.cleaning.pathKey() });
}

/** The order, ties and gates with the typed priority, and why it cannot be saved. */
function usePreview(step: CatalogueStep, at: EditedScope, priority: number | undefined): ShownEffect {
  const trpc = useTRPC();
  const preview = useQuery({
    ...trpc.cleaning.previewOverride.queryOptions({ ...overrideName(step, at), priority: priority ?? 0 }),
    enabled: priority !== undefined,
    placeholderData: keepPreviousData,
  });
  if (priority === undefined) return noEffect;
  const { data, isPlaceholderData, isPaused } = preview;
  const { effect, calculating } = effectOf(
    preview,
    data === undefined ? undefined : <Consequences step={step} preview={data} priority={priority} at={at} />,
    { label: "New order" },
  );
  // The form does not jump: the order of the previous number stays until the new one is there. Meanwhile nothing can be saved.
  const isOld = isPlaceholderData && !isPaused;
  const why =
    priority === step.overrides[at.scope]
      ? "Already set"
      : isOld
        ? calculatingWords
        : data !== undefined && data.ties.length > 0
          ? "Two steps of one interface would have the same priority"
          : undefined;
  return { effect, calculating: why ?? calculating };
}

export function OverrideEditor({ step, at, onClose }: OverrideEditorProps) {
  const client = useTRPCClient();
  const { send, problem } = useSend({ onAccepted: onClose, onDone: useRefreshCleaning() });
  const [texts] = useState({ priority: String(step.overrides[at.scope] ?? step.priority) });
  const form = useAppForm({
    defaultValues: texts,
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) =>
      send(
        formApi,
        ({ priority: saved }) => `${step.name}: priority ${saved} at ${at.words}`,
        () => client.cleaning.saveOverride.mutate({ ...overrideName(step, at), ...schema.parse(value) }),
      ),
  });
  const priority = useStore(form.store, ({ values }) => priorityOf(values.priority));
  const order = usePreview(step, at, priority);
  const ofSite = usePolicyEffect(
    at.scope === "site" && priority !== undefined && order.calculating === undefined
      ? { siteId: at.scopeId, priorities: { [`${step.interface}.${step.step}`]: priority } }
      : undefined,
  );
  return (
    <form.AppForm>
      <PageForm
        className="override"
        schema={schema}
        missing={order.calculating ?? ofSite.calculating}
        problem={problem}
        submitWords="Save priority"
        acts={<OtherActs step={step} at={at} onClose={onClose} />}
      >
        <Fields
          form={form}
          fields={{
            priority: {
              label: `Priority at ${at.words}, 0 to ${formatCount(maxPriority)}; 0 disables`,
              inputMode: "numeric",
              short: true,
            },
          }}
        />
        {order.effect}
        {ofSite.effect}
      </PageForm>
    </form.AppForm>
  );
}

/** For a SKU or a host; the effect of a site's override is shown with the rest of its policy. */
function Effect({ kind, words }: NonNullable<OverridePreview["effect"]>) {
  return (
    <p className="text-soft">
      Reclamations of the last 90 days: {effectLabels[kind]}, {words}.
    </p>
  );
}

function OtherActs({ step, at, onClose }: OverrideEditorProps) {
  const client = useTRPCClient();
  const say = useSay();
  const refresh = useRefreshCleaning();
  const remove = useMutation({
    mutationFn: () => client.cleaning.removeOverride.mutate(overrideName(step, at)),
    onSuccess: () => {
      say(`${step.name}: override removed at ${at.words}`);
      refresh();
      onClose();
    },
    onError: (error) => {
      const { code, words } = problemOf(error);
      if (code !== "awaitsApproval") return;
      say(words);
      onClose();
    },
  });
  return (
    <>
      <Button
        small
        disabledReason={step.overrides[at.scope] === null ? `${at.words} has no override` : undefined}
        busy={remove.isPending}
        onClick={() => remove.mutate()}
      >
        Remove from {at.words}
      </Button>
      <Button small kind="plain" onClick={onClose}>
        Close
      </Button>
      {remove.isError ? <ProblemNotice error={remove.error} before="It was not removed." /> : null}
    </>
  );
}

/** Ties, gates without proof, the number of hosts, and the resulting order. */
function Consequences({
  step,
  preview,
  priority,
  at,
}: {
  step: CatalogueStep;
  preview: OverridePreview;
  priority: number;
  at: EditedScope;
}) {
  const same =
    preview.before.length === preview.after.length &&
    preview.before.every(({ name }, index) => name === preview.after[index]?.name);
  const place = preview.after.findIndex(({ name }) => name === step.name);
  return (
    <>
      {[...new Set(preview.ties.map((tie) => tie.message))].map((message) => (
        <Notice key={message} tone="failed">
          <b className="text-medium">{message}</b> at{" "}
          {preview.ties
            .filter((tie) => tie.message === message)
            .map((tie) => tie.where)
            .join("; ")}
          . The order of steps with equal priority is undefined, so it cannot be saved.
        </Notice>
      ))}
      {preview.unproven.length === 0 ? null : (
        <Notice tone="attention">
          Without this step nothing proves {preview.unproven.join(", ")}. A host that needs it stops there and
          never becomes Ready
          {step.erases ? "; neither does any host with a sanitization debt" : ""}.
        </Notice>
      )}
      <p className="text-soft">
        It may change the next plan of {formatCounted(preview.hosts, "host")}; existing plans do not change.{" "}
        {priority === 0
          ? `${step.name} then does not run automatically.${step.erases ? ` ${leftOutMeaning}.` : ""}`
          : same
            ? "The order does not change."
            : `${step.name} becomes step ${place + 1} of ${preview.after.length}:`}
      </p>
      {same ? null : (
        <ol className="plan-order" aria-label="Resulting order">
          {preview.after.map((line, index) => (
            <li key={line.name} className={line.name === step.name ? "now-changed" : undefined}>
              <span className="position">{index + 1}</span>
              <span className="mono">
                <Breakable text={line.name} />
              </span>
              <span className="text-quiet text-compact">{line.priority}</span>
            </li>
          ))}
        </ol>
      )}
      {at.scope === "site" || preview.effect === null ? null : <Effect {...preview.effect} />}
    </>
  );
}
