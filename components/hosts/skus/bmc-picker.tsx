"use client";
// Selects BMC settings of a reference host for a baseline, each with the value that would be taken. Nothing is selected at first.
import {
  bmcPartNames,
  bmcParts,
  bmcPartText,
  knownBmcParts,
} from "@/server/domain/hosts/inventory/bmc-settings";
import { Check } from "@/components/ui/form/controls";
import type { BmcBaseline, BmcPart, BmcSettings } from "@/server/domain/hosts/inventory/bmc-settings";

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

export function BmcPicker({ settings, before, chosen, onChange }: BmcPickerProps) {
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
