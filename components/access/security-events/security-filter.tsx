"use client";
// The filter of the security events: by kind, host, address, and whether acknowledged ones are shown.
import { useState } from "react";
import type { SecurityView } from "@/components/access/security-events/security-view";
import { Button } from "@/components/ui/button";
import { Check, Field, Select, TextInput } from "@/components/ui/form/controls";
import {
  findSecurityEventKind,
  securityEventKinds,
  securityEventNames,
} from "@/server/domain/access/security-events/kinds";

const kinds = [
  { value: "", label: "all" },
  ...securityEventNames.map((name) => ({ value: name, label: securityEventKinds[name].title })),
];

interface SecurityFilterProps {
  readonly view: SecurityView;
  readonly onSearch: (change: Partial<SecurityView>) => void;
}

/** Keyed by the view, so that a filter from the URL resets the form. */
export function SecurityFilter({ view, onSearch }: SecurityFilterProps) {
  const [host, setHost] = useState(view.host);
  const [address, setAddress] = useState(view.address);
  return (
    <search>
      <form
        className="audit-filter open"
        aria-label="Filter security events"
        onSubmit={(event) => {
          event.preventDefault();
          onSearch({ host: host.trim(), address: address.trim() });
        }}
      >
        <Field label="Kind">
          {(aria) => (
            <Select
              aria={aria}
              value={view.kind ?? ""}
              options={kinds}
              onChange={(value) => onSearch({ kind: findSecurityEventKind(value) })}
            />
          )}
        </Field>
        <Field label="Host">
          {(aria) => <TextInput aria={aria} value={host} onChange={setHost} placeholder="Name, or id" />}
        </Field>
        <Field label="Address">
          {(aria) => (
            <TextInput
              aria={aria}
              value={address}
              onChange={setAddress}
              placeholder="In full"
              data-filter=""
            />
          )}
        </Field>
        <Check checked={view.all} onChange={(all) => onSearch({ all })}>
          Also acknowledged
        </Check>
        <Button type="submit">Filter</Button>
      </form>
    </search>
  );
}
