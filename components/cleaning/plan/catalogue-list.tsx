"use client";
// The steps that can be added, by interface, with a search field.
import { useMemo, useState } from "react";
import { Breakable } from "@/components/ui/breakable";
import { SearchField } from "@/components/ui/search-field";
import type { CatalogueStep } from "@/server/surfaces/trpc/types";

interface CatalogueListProps {
  steps: readonly CatalogueStep[];
  onAdd: (step: CatalogueStep) => void;
  /** Disables steps for which the one host has no device. With several hosts each may differ, so all can be added. */
  ofOneHost: boolean;
}

/** Groups by interface in the order given; every search word must occur in the step's name or summary. Pure. */
export function groupsOf(
  steps: readonly CatalogueStep[],
  search: string,
): readonly { readonly name: string; readonly steps: readonly CatalogueStep[] }[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const found = steps.filter((step) =>
    words.every((word) => `${step.name} ${step.summary}`.toLowerCase().includes(word)),
  );
  return [...new Set(found.map((step) => step.interface))].map((name) => ({
    name,
    steps: found.filter((step) => step.interface === name),
  }));
}

/** The step that Enter adds: an exact name match, otherwise the first that can be added. Pure. */
export function chosenStep(
  steps: readonly CatalogueStep[],
  search: string,
  canAdd: (step: CatalogueStep) => boolean,
): CatalogueStep | undefined {
  const typed = search.trim().toLowerCase();
  const named =
    steps.find((step) => step.name.toLowerCase() === typed) ??
    steps.find((step) => step.step.toLowerCase() === typed);
  // If the named step cannot be added, do not add another one instead.
  return named === undefined ? steps.find(canAdd) : canAdd(named) ? named : undefined;
}

export function CatalogueList({ steps, onAdd, ofOneHost }: CatalogueListProps) {
  const [search, setSearch] = useState("");
  const groups = useMemo(() => groupsOf(steps, search), [steps, search]);
  const off = (step: CatalogueStep) => ofOneHost && step.applies === false;
  const addFirst = () => {
    const chosen = chosenStep(
      groups.flatMap((group) => group.steps),
      search,
      (step) => !off(step),
    );
    if (chosen === undefined) return;
    onAdd(chosen);
    setSearch("");
  };
  return (
    <section aria-label="Steps">
      <div className="sec">
        <h2>Steps</h2>
        <span className="end text-faint text-compact">priority</span>
      </div>
      <SearchField
        label="Find a step"
        value={search}
        onChange={setSearch}
        onSubmit={addFirst}
        placeholder="Find a step; Enter adds the first, or the one named"
      />
      {groups.length === 0 ? <p className="text-quiet after">No matching steps.</p> : null}
      {groups.map((group) => (
        <div key={group.name}>
          <h3 className="interface-name">{group.name}</h3>
          <ul className="cat" aria-label={`Steps of ${group.name}`}>
            {group.steps.map((step) => (
              <li key={step.name} className={off(step) ? "off" : undefined}>
                <button
                  type="button"
                  className="mono text-small"
                  title={`${step.name}: ${step.summary}`}
                  aria-label={`Add ${step.name}${off(step) ? ": does not apply to this host" : ""}`}
                  aria-disabled={off(step) || undefined}
                  onClick={() => (off(step) ? undefined : onAdd(step))}
                >
                  <Breakable text={step.step} />
                </button>
                <span className="priority">
                  {off(step) ? "does not apply" : step.reserved ? "–" : step.priority}
                </span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
