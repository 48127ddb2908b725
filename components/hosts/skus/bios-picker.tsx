"use client";
// Selects BIOS attributes of a reference host for a baseline, with search and groups. Nothing is selected at first.
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { formatCounted } from "@/components/ui/format/numbers";
import { Check, FieldError } from "@/components/ui/form/controls";
import { SearchField } from "@/components/ui/search-field";
import { maxBiosSettings } from "@/server/domain/hosts/inventory/baseline";
import { biosGroups, settingText } from "@/server/domain/hosts/inventory/bios";
import type { BiosAttributes } from "@/server/domain/hosts/inventory/bios";

interface BiosPickerProps {
  /** Null if unknown. */
  readonly attributes: BiosAttributes | null;
  /** What the SKU requires now. */
  readonly before: BiosAttributes;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

export function BiosPicker({ attributes, before, chosen, onChange }: BiosPickerProps) {
  const [text, setText] = useState("");
  if (attributes === null) return null;
  const wanted = text.trim().toLowerCase();
  const shown = Object.keys(attributes).filter((name) => name.toLowerCase().includes(wanted));
  const withShown = [...new Set([...chosen, ...shown])];
  const tooMany = withShown.length > maxBiosSettings;
  return (
    <fieldset className="field wide">
      <legend className="text-medium">BIOS attributes</legend>
      <p className="text-quiet">
        {formatCounted(chosen.length, "attribute")} of {Object.keys(attributes).length} selected. Select only
        attributes that can be written: a host with a different value of a read-only attribute fails cleaning.
      </p>
      <SearchField
        label="Find BIOS attributes"
        value={text}
        onChange={setText}
        onSubmit={() => undefined}
        placeholder="Find by name"
      />
      <div className="acts left">
        <Button
          small
          disabledReason={
            shown.length === 0
              ? "No matching attributes"
              : tooMany
                ? `More than ${maxBiosSettings} attributes`
                : undefined
          }
          onClick={() => onChange(withShown)}
        >
          Select {shown.length} shown
        </Button>
        <Button
          small
          disabledReason={chosen.length === 0 ? "None selected" : undefined}
          onClick={() => onChange([])}
        >
          Clear selection
        </Button>
      </div>
      {chosen.length > maxBiosSettings ? (
        <FieldError>A baseline takes at most {maxBiosSettings} attributes at once</FieldError>
      ) : null}
      <Attributes attributes={attributes} names={shown} before={before} chosen={chosen} onChange={onChange} />
    </fieldset>
  );
}

interface AttributesProps extends BiosPickerProps {
  readonly attributes: BiosAttributes;
  /** The attributes shown. */
  readonly names: readonly string[];
}

function Attributes({ attributes, names: shown, before, chosen, onChange }: AttributesProps) {
  return (
    <div className="picks">
      {shown.length === 0 ? <p className="text-quiet">No matching attributes</p> : null}
      {biosGroups(shown).map(({ title, names }) => (
        <fieldset key={title} className="entry">
          <legend className="text-quiet">{title}</legend>
          {names.map((name) => (
            <Attribute
              key={name}
              name={name}
              value={attributes[name]}
              before={before[name]}
              checked={chosen.includes(name)}
              onChange={(checked) =>
                onChange(checked ? [...chosen, name] : chosen.filter((other) => other !== name))
              }
            />
          ))}
        </fieldset>
      ))}
    </div>
  );
}

interface AttributeProps {
  readonly name: string;
  readonly value: BiosAttributes[string] | undefined;
  readonly before: BiosAttributes[string] | undefined;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

function Attribute({ name, value, before, checked, onChange }: AttributeProps) {
  return (
    <Check checked={checked} onChange={onChange}>
      {name}{" "}
      <span className="mono text-quiet">
        {value === undefined ? "" : settingText(value)}
        {before === undefined || before === value ? "" : `, the SKU has ${settingText(before)}`}
      </span>
    </Check>
  );
}
