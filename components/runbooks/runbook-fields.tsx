"use client";
// The fields of a runbook beside its steps: name, what it is for, and the traits that lock it to its hardware.
import { useId } from "react";
import { traitsOf } from "@/components/runbooks/runbook-words";

export interface RunbookTexts {
  readonly name: string;
  readonly description: string;
  /** As they are typed. */
  readonly traits: string;
}

export const emptyTexts: RunbookTexts = { name: "", description: "", traits: "" };

/** Why it cannot be saved yet; undefined when it can. */
export function missingOf({ name, traits }: RunbookTexts): string | undefined {
  if (name.trim() === "") return "Enter a name";
  return traitsOf(traits).length === 0
    ? "Enter at least one trait: it keeps the runbook off other hardware"
    : undefined;
}

interface RunbookFieldsProps {
  texts: RunbookTexts;
  onChange: (texts: RunbookTexts) => void;
  /** Traits that hosts or runbooks have. */
  known: readonly string[];
}

export function RunbookFields({ texts, onChange, known }: RunbookFieldsProps) {
  const id = useId();
  const chosen = traitsOf(texts.traits);
  const others = known.filter((trait) => !chosen.includes(trait)).slice(0, 12);
  return (
    <>
      <div className="field">
        <label htmlFor={`${id}-name`}>Name</label>
        <div className="input">
          <input
            id={`${id}-name`}
            value={texts.name}
            maxLength={128}
            autoComplete="off"
            onChange={(event) => onChange({ ...texts, name: event.target.value })}
          />
        </div>
      </div>
      <div className="field">
        <label htmlFor={`${id}-description`}>
          What it is for <span className="text-quiet">optional</span>
        </label>
        <textarea
          id={`${id}-description`}
          value={texts.description}
          maxLength={2000}
          onChange={(event) => onChange({ ...texts, description: event.target.value })}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-traits`}>
          Traits <span className="text-quiet">at least one; it runs on hosts that have one of them</span>
        </label>
        <div className="input">
          <input
            id={`${id}-traits`}
            className="mono"
            value={texts.traits}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => onChange({ ...texts, traits: event.target.value })}
          />
        </div>
        {others.length === 0 ? null : (
          <span className="hint">
            Known:{" "}
            {others.map((trait) => (
              <button
                key={trait}
                type="button"
                className="copy mono text-small"
                aria-label={`Add the trait ${trait}`}
                onClick={() => onChange({ ...texts, traits: [...chosen, trait].join(", ") })}
              >
                {trait}
              </button>
            ))}
          </span>
        )}
      </div>
    </>
  );
}
