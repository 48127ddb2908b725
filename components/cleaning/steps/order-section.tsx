"use client";
// The plan as it would run now: steps in order, each with its priority and where that comes from.
import { Breakable } from "@/components/ui/breakable";
import { Empty } from "@/components/ui/empty";
import { Notice } from "@/components/ui/notice";
import type { Catalogue } from "@/server/surfaces/trpc/types";
import { sourceText } from "@/components/cleaning/steps/steps-table";

/** `off`: a sentence that says why no plan would be made. */
export function OrderSection({ catalogue, off }: { catalogue: Catalogue; off: string | null }) {
  const byName = new Map(catalogue.steps.map((step) => [step.name, step]));
  return (
    <section aria-label="Order">
      <div className="sec">
        <h2>Order</h2>
        <span className="sum cut">
          {catalogue.subject.kind === "host" && catalogue.steps.some((step) => step.applies !== null)
            ? "the plan as it would run on this host now"
            : "steps that do not apply to the host are left out of its plan"}
        </span>
      </div>
      {off === null ? null : <Notice tone="attention">{off}</Notice>}
      {catalogue.ties.map((tie) => (
        <Notice key={tie} tone="failed">
          {tie}: a plan cannot be made until one of them changes.
        </Notice>
      ))}
      {catalogue.order.length === 0 ? (
        <Empty title="No automated steps">
          Every step has priority 0 here, or none of them applies to the host.
        </Empty>
      ) : (
        <ol className="plan-order">
          {catalogue.order.map((name, index) => {
            const step = byName.get(name);
            return (
              <li key={name}>
                <span className="position">{index + 1}</span>
                <span className="mono">
                  <Breakable text={name} />
                </span>
                <span className="text-quiet text-compact">
                  {step === undefined ? "" : `${step.priority}, ${sourceText[step.source]}`}
                </span>
              </li>
            );
          })}
        </ol>
      )}
    </section>
  );
}
