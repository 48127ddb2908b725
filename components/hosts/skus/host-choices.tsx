"use client";
// Fields of a SKU's reference host: the host, and what its baseline takes besides firmware and lockdown.
import { noNames, noParts } from "@/components/hosts/skus/use-proposal";
import {
  type BmcBaseline,
  type BmcPart,
  bmcPartNames,
  bmcParts,
  bmcPartText,
  type BmcSettings,
  knownBmcParts,
} from "@/server/domain/hosts/inventory/bmc-settings";
import type { PlatformBaseline } from "@/server/domain/hosts/inventory/platform";
import type { SkuProposalView } from "@/server/surfaces/trpc/types";
import { Check, FieldError } from "@/components/ui/form/controls";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { formatCounted } from "@/server/domain/numbers";
import { SearchField } from "@/components/ui/search-field";
import { maxBiosSettings } from "@/server/domain/hosts/inventory/baseline";
import { type BiosAttributes, biosGroups, settingText } from "@/server/domain/hosts/inventory/bios";

interface BiosPickerProps {
  /** Null if unknown. */
  readonly attributes: BiosAttributes | null;
  /** What the SKU requires now. */
  readonly before: BiosAttributes;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Selects BIOS attributes of a reference host for a baseline, with search and groups. Nothing is selected at first. */
function BiosPicker({ attributes, before, chosen, onChange }: BiosPickerProps) {
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

interface BmcPickerProps {
  /** Null if unknown. */
  readonly settings: BmcSettings | null;
  /** What the SKU requires now. */
  readonly before: BmcBaseline | undefined;
  readonly chosen: readonly BmcPart[];
  readonly onChange: (chosen: readonly BmcPart[]) => void;
}

/** The SKU's current value of a part that could be taken; null if it is the same or missing. */
function textBefore(before: BmcBaseline | undefined, part: BmcPart, found: string): string | null {
  if (before === undefined || bmcParts[part].members.some((member) => before[member] === undefined))
    return null;
  const text = bmcPartText(before, part);
  return text === found ? null : text;
}

/** Selects BMC settings of a reference host for a baseline, each with the value that would be taken. Nothing is selected at first. */
function BmcPicker({ settings, before, chosen, onChange }: BmcPickerProps) {
  const known = knownBmcParts(settings);
  if (settings === null || known.length === 0) return null;
  return (
    <fieldset className="field wide">
      <legend className="text-medium">BMC</legend>
      <p className="text-quiet">
        Every host of the SKU is set to what is selected: other accounts, subscriptions, keys and entries are
        removed. Select a part only if everything in it belongs on this host.
      </p>
      <div className="picks">
        {bmcPartNames
          .filter((part) => known.includes(part))
          .map((part) => {
            const text = bmcPartText(settings, part);
            const old = textBefore(before, part, text);
            return (
              <Check
                key={part}
                checked={chosen.includes(part)}
                onChange={(checked) =>
                  onChange(checked ? [...chosen, part] : chosen.filter((other) => other !== part))
                }
              >
                {bmcParts[part].words}{" "}
                <span className="mono text-quiet">
                  {text}
                  {old === null ? "" : `, the SKU has ${old}`}
                </span>
              </Check>
            );
          })}
      </div>
    </fieldset>
  );
}

interface Chosen {
  readonly bios: string[];
  readonly bmc: BmcPart[];
}

type SetChosen = (name: keyof Chosen, value: never[]) => void;

/** Another host has other settings. */
export function chooseNone(set: SetChosen): void {
  set("bios", noNames);
  set("bmc", noParts);
}

interface HostChoicesProps {
  readonly proposal: SkuProposalView | undefined;
  /** What the SKU requires now. */
  readonly before: PlatformBaseline | undefined;
  readonly chosen: Chosen;
  readonly onBios: (names: string[]) => void;
  readonly onBmc: (parts: BmcPart[]) => void;
}

export const HostChoices = ({ proposal, before, chosen, onBios, onBmc }: HostChoicesProps) => (
  <>
    <BiosPicker
      attributes={proposal?.bios ?? null}
      before={before?.bios ?? {}}
      chosen={chosen.bios}
      onChange={(names) => onBios([...names])}
    />
    <BmcPicker
      settings={proposal?.bmc ?? null}
      before={before?.bmc}
      chosen={chosen.bmc}
      onChange={(parts) => onBmc([...parts])}
    />
  </>
);

interface HostSpecProps {
  readonly label: string;
  readonly hosts: readonly { readonly id: string; readonly name: string }[];
  readonly set: SetChosen;
}

export const hostSpec = ({ label, hosts, set }: HostSpecProps) => ({
  label,
  options: hosts.map((host) => ({ value: host.id, label: host.name })),
  onChosen: () => chooseNone(set),
});
