"use client";
// The filter of the certificates: by host, tenant, site, SKU, instance, standing and day.
import { useState } from "react";
import {
  searchFields,
  type CertificatesFilter,
  type SearchField,
} from "@/components/assurance/certificates/certificates-query";
import { useMe } from "@/components/frame/me";
import { Button } from "@/components/ui/button";
import { Field, Select, TextInput } from "@/components/ui/form/controls";
import { standings, standingText } from "@/server/domain/assurance/standing";

const fields = {
  host: ["Host", "Name, id or serial number"],
  tenant: ["Tenant", "Name or organisation"],
  site: ["Site", "Name"],
  sku: ["SKU", "Name"],
  instance: ["Instance", "Name or id"],
} as const satisfies Record<SearchField, readonly [string, string]>;

const options = [
  { value: "", label: "any" },
  ...standings.map((value) => ({ value, label: standingText[value] })),
];

interface FilterProps {
  readonly filter: CertificatesFilter;
  readonly onSearch: (filter: CertificatesFilter) => void;
}

/** Keyed by the filter, so that one from the URL resets the form. A tenant searches its instances only. */
export function CertificatesFilterForm({ filter, onSearch }: FilterProps) {
  const { tenant } = useMe();
  const [typed, setTyped] = useState(filter);
  const set = (name: SearchField | "since" | "until") => (value: string) =>
    setTyped((all) => ({ ...all, [name]: value }));
  return (
    <search>
      <form
        className="audit-filter open"
        aria-label="Filter certificates"
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(typed);
        }}
      >
        {searchFields
          .filter((name) => tenant === null || name === "instance")
          .map((name) => (
            <Field key={name} label={fields[name][0]}>
              {(aria) => (
                <TextInput
                  aria={aria}
                  value={typed[name]}
                  onChange={set(name)}
                  placeholder={fields[name][1]}
                  {...(name === "instance" ? { "data-filter": "" as const } : {})}
                />
              )}
            </Field>
          ))}
        <Field label="Standing">
          {(aria) => (
            <Select
              aria={aria}
              value={typed.standing ?? ""}
              options={options}
              onChange={(value) =>
                setTyped((all) => ({ ...all, standing: standings.find((known) => known === value) ?? null }))
              }
            />
          )}
        </Field>
        <Field label="From day, UTC">
          {(aria) => <TextInput aria={aria} type="date" value={typed.since} onChange={set("since")} />}
        </Field>
        <Field label="To day, UTC">
          {(aria) => <TextInput aria={aria} type="date" value={typed.until} onChange={set("until")} />}
        </Field>
        <Button type="submit">Filter</Button>
      </form>
    </search>
  );
}
