"use client";
// An expanded row of the catalogue: the priority at every relevant scope, the step's arguments and limits, and the editor.
import { Fragment } from "react";
import type { CatalogueStep, CatalogueSubject } from "@/server/surfaces/trpc/types";
import { fieldOf } from "@/components/cleaning/plan/schema-field";
import { OverrideEditor, type EditedScope } from "@/components/cleaning/steps/override-editor";

interface StepDetailProps {
  step: CatalogueStep;
  subject: CatalogueSubject;
  mayOverride: boolean;
  onClose: () => void;
}

/** The scope of an override for this subject; null for a hardware type, which is not a scope. */
export function editedScope(subject: CatalogueSubject): EditedScope | null {
  if (subject.kind === "hardwareType") return null;
  return {
    scope: subject.kind,
    scopeId: subject.id,
    words: `${subject.kind === "sku" ? "SKU" : subject.kind} ${subject.name}`,
  };
}

/** Why the priority cannot be changed here, by this user or by anybody; null if it can. */
function refusalOf({ step, subject, mayOverride }: Omit<StepDetailProps, "onClose">): string | null {
  if (step.reserved)
    return "A reserved step runs only in manual cleanings that name it, so it has no priority.";
  if (subject.kind === "hardwareType")
    return "Priorities are set for a site, a SKU or a host. Choose one above.";
  return mayOverride
    ? null
    : "Only a provider admin can change priorities: they decide what proves a host clean.";
}

export function StepDetail({ step, subject, mayOverride, onClose }: StepDetailProps) {
  const at = editedScope(subject);
  const refusal = refusalOf({ step, subject, mayOverride });
  return (
    <div className="step-detail">
      <dl className="pairs">
        {step.reserved ? null : (
          <>
            <dt>Priority</dt>
            <dd>
              <Priorities step={step} subject={subject} />
            </dd>
          </>
        )}
        <dt>Runs in</dt>
        <dd>
          {step.where}, shown as {step.state.replaceAll("/", " / ")}; when it fails: {step.failureCause}
          {step.restarts ? "; restarts the host" : ""}
        </dd>
        <dt>Arguments</dt>
        <dd>
          {step.args.length === 0
            ? "none"
            : step.args
                .map(fieldOf)
                .map(({ name, hint }) => `${name} (${hint})`)
                .join(", ")}
        </dd>
        {step.manager === null ? null : (
          <>
            <dt>Offered by</dt>
            <dd>
              {step.manager.name} {step.manager.version}, of the host&apos;s agent
            </dd>
          </>
        )}
      </dl>
      {refusal !== null ? (
        <p className="text-quiet">{refusal}</p>
      ) : at === null ? null : (
        <OverrideEditor step={step} at={at} onClose={onClose} />
      )}
    </div>
  );
}

type OfSubject = Pick<StepDetailProps, "step" | "subject">;

/** What each scope that applies to the subject sets, least specific first. */
function scopesOf({ step, subject: { kind, name, site, sku } }: OfSubject) {
  const { overrides } = step;
  return [
    { words: "default", value: step.defaultPriority },
    ...(site === null ? [] : [{ words: `site ${site.name}`, value: overrides.site }]),
    ...(sku === null ? [] : [{ words: `SKU ${sku.name}`, value: overrides.sku }]),
    ...(kind === "host" ? [{ words: `host ${name}`, value: overrides.host }] : []),
  ];
}

function Priorities(of: OfSubject) {
  const scopes = scopesOf(of);
  const inForce = scopes.findLastIndex(({ value }) => value !== null);
  const look = (index: number, value: number | null) =>
    index === inForce ? "text-medium text-strong" : value === null ? "text-faint" : "struck";
  return (
    <>
      {scopes.map(({ words, value }, index) => (
        <Fragment key={words}>
          {index === 0 ? "" : ", "}
          <span className={look(index, value)}>
            {words} {value ?? "none"}
          </span>
        </Fragment>
      ))}
      ; the most specific one applies
    </>
  );
}
