"use client";
// Changes the priority of a step at a site, a SKU or a host: the order it makes and its ties are seen before it is saved.
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { formatCount, formatCounted } from "@/components/ui/format/numbers";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useSay } from "@/components/ui/toast";
import { mostPriority, type OverrideScope } from "@/server/domain/cleaning/plan/priorities";
import type { CatalogueStep, OverridePreview } from "@/server/surfaces/trpc/types";

/** Where the override would be. */
export interface EditedScope {
  readonly scope: OverrideScope;
  readonly scopeId: string;
  /** "site a". */
  readonly words: string;
}

interface OverrideEditorProps {
  step: CatalogueStep;
  at: EditedScope;
  onClose: () => void;
}

/** The number that is typed; null where it is none that a priority may be. Pure. */
export function priorityOf(text: string): number | null {
  const trimmed = text.trim();
  return /^\d{1,4}$/.test(trimmed) && Number(trimmed) <= mostPriority ? Number(trimmed) : null;
}

export function OverrideEditor({ step, at, onClose }: OverrideEditorProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const say = useSay();
  const own = step.overrides[at.scope];
  const [text, setText] = useState(String(own ?? step.priority));
  const inputId = useId();
  const priority = priorityOf(text);
  const name = { scope: at.scope, scopeId: at.scopeId, interface: step.interface, step: step.step } as const;
  const preview = useQuery({
    ...trpc.cleaning.previewOverride.queryOptions({ ...name, priority: priority ?? 0 }),
    enabled: priority !== null,
    placeholderData: keepPreviousData,
  });
  const done = (words: string) => {
    say(words);
    void queryClient.invalidateQueries({ queryKey: trpc.cleaning.pathKey() });
    onClose();
  };
  const save = useMutation(
    trpc.cleaning.saveOverride.mutationOptions({
      onSuccess: (_, { priority: saved }) => done(`${step.name}: priority ${saved} at ${at.words}`),
    }),
  );
  const remove = useMutation(
    trpc.cleaning.removeOverride.mutationOptions({
      onSuccess: () => done(`${step.name}: override removed at ${at.words}`),
    }),
  );
  const shown = priority === null ? undefined : preview.data;
  const missing =
    priority === null
      ? `A whole number from 0 to ${mostPriority}`
      : priority === own
        ? "Already set"
        : shown === undefined || preview.isPlaceholderData
          ? "Calculating the effect…"
          : shown.ties.length > 0
            ? "Two steps of one interface would have the same priority"
            : undefined;
  const error = save.error ?? remove.error;
  return (
    <form
      className="override"
      onSubmit={(event) => {
        event.preventDefault();
        if (missing === undefined && priority !== null && !save.isPending) save.mutate({ ...name, priority });
      }}
    >
      <div className={priority === null ? "field bad" : "field"}>
        <label htmlFor={inputId}>
          Priority at {at.words}, 0 to {formatCount(mostPriority)}; 0 disables
        </label>
        <div className="input short">
          <input
            id={inputId}
            value={text}
            inputMode="numeric"
            autoComplete="off"
            aria-invalid={priority === null || undefined}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
      </div>
      {shown === undefined ? null : <Consequences step={step} preview={shown} priority={priority ?? 0} />}
      {preview.isError ? (
        <ProblemNotice
          error={preview.error}
          before="The effect could not be calculated."
          onRetry={() => void preview.refetch()}
        />
      ) : null}
      {error === null ? null : <ProblemNotice error={error} before="It was not saved." />}
      <div className="acts left">
        <Button type="submit" kind="main" small disabledReason={missing} busy={save.isPending}>
          Save priority
        </Button>
        <Button
          small
          disabledReason={own === null ? `${at.words} has no override` : undefined}
          busy={remove.isPending}
          onClick={() => remove.mutate(name)}
        >
          Remove from {at.words}
        </Button>
        <Button small kind="plain" onClick={onClose}>
          Close
        </Button>
      </div>
    </form>
  );
}

/** Ties, gates without proof, how many hosts, and the order that it makes. */
function Consequences({
  step,
  preview,
  priority,
}: {
  step: CatalogueStep;
  preview: OverridePreview;
  priority: number;
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
          {step.erases ? "; neither does any host that owes an erase" : ""}.
        </Notice>
      )}
      <p className="text-soft">
        It may change the next plan of {formatCounted(preview.hosts, "host")}; existing plans do not change.{" "}
        {priority === 0
          ? `${step.name} then does not run automatically.`
          : same
            ? "The order does not change."
            : `${step.name} becomes step ${place + 1} of ${preview.after.length}:`}
      </p>
      {same ? null : (
        <ol className="plan-order" aria-label="Resulting order">
          {preview.after.map((line, index) => (
            <li key={line.name} className={line.name === step.name ? "now-changed" : undefined}>
              <span className="position">{index + 1}</span>
              <span className="mono cut">{line.name}</span>
              <span className="text-quiet text-compact">{line.priority}</span>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
