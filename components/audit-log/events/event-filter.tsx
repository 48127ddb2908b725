"use client";
// The audit search form. It searches on Enter or the button, not while typing, because a search reads many events.
import { useState } from "react";
import { emptySearch, type AuditSearch } from "@/components/audit-log/audit-view";
import { Button } from "@/components/ui/button";
import { Field, Select, TextInput } from "@/components/ui/form/controls";
import { classNames } from "@/components/ui/table/columns";

const fields = [
  ["text", "Text", "Part of a reason, a fact, an address"],
  ["actor", "Person", "Name in full, or id"],
  ["action", "Action", "host.release, or host. for all"],
  ["target", "Target", "Name of a host or instance, or id"],
  ["site", "Site", "Name"],
] as const satisfies readonly (readonly [keyof AuditSearch, string, string])[];

const times = [
  ["since", "Since, UTC"],
  ["until", "Before, UTC"],
] as const satisfies readonly (readonly [keyof AuditSearch, string])[];

const outcomes = [
  { value: "", label: "any" },
  { value: "done", label: "done" },
  { value: "refused", label: "refused" },
];

interface EventFilterProps {
  readonly search: AuditSearch;
  readonly onSearch: (search: AuditSearch) => void;
}

/** Keyed by the search, so that a search from the URL resets the form. */
export function EventFilter({ search, onSearch }: EventFilterProps) {
  const [typed, setTyped] = useState(search);
  const set = (name: keyof AuditSearch) => (value: string) => setTyped((all) => ({ ...all, [name]: value }));
  const [isOpen, setOpen] = useState(false);
  const inUse = Object.values(search).filter((value) => value !== "").length;
  return (
    <search>
      <Button
        className="audit-fold"
        aria-expanded={isOpen}
        aria-controls="audit-filter"
        onClick={() => setOpen(!isOpen)}
      >
        {inUse === 0 ? "Search events" : `Search events (${inUse} in use)`}
      </Button>
      <form
        id="audit-filter"
        className={classNames("audit-filter", isOpen && "open")}
        aria-label="Search the audit log"
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(typed);
        }}
      >
        {fields.map(([name, label, placeholder], place) => (
          <Field key={name} label={label}>
            {(aria) => (
              <TextInput
                aria={aria}
                value={typed[name]}
                onChange={set(name)}
                placeholder={placeholder}
                {...(place === 0 ? { "data-filter": "" as const } : {})}
              />
            )}
          </Field>
        ))}
        {times.map(([name, label]) => (
          <Field key={name} label={label}>
            {(aria) => (
              <TextInput aria={aria} type="datetime-local" value={typed[name]} onChange={set(name)} />
            )}
          </Field>
        ))}
        <Field label="Outcome">
          {(aria) => (
            <Select aria={aria} value={typed.outcome} options={outcomes} onChange={set("outcome")} />
          )}
        </Field>
        <Acts canClear={inUse > 0} onClear={() => onSearch(emptySearch)} />
      </form>
    </search>
  );
}

function Acts({ canClear, onClear }: { readonly canClear: boolean; readonly onClear: () => void }) {
  return (
    <div className="audit-acts">
      <Button type="submit">Search</Button>
      {canClear ? (
        <Button kind="plain" onClick={onClear}>
          Clear
        </Button>
      ) : null}
    </div>
  );
}
