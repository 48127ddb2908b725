"use client";
// What a baseline takes from a reference host besides firmware and lockdown: BIOS attributes, and BMC settings.
import { BiosPicker } from "@/components/hosts/skus/bios-picker";
import { BmcPicker } from "@/components/hosts/skus/bmc-picker";
import type { PlatformBaseline } from "@/server/domain/hosts/inventory/platform";
import type { BmcPart } from "@/server/domain/hosts/inventory/bmc-settings";
import type { SkuProposalView } from "@/server/surfaces/trpc/types";

/** A form field. */
interface Choice<Item> {
  readonly state: { readonly value: readonly Item[] };
  readonly handleChange: (value: Item[]) => void;
}

interface HostChoicesProps {
  readonly proposal: SkuProposalView | undefined;
  /** What the SKU requires now. */
  readonly before: PlatformBaseline | undefined;
  readonly bios: Choice<string>;
  readonly bmc: Choice<BmcPart>;
}

export function HostChoices({ proposal, before, bios, bmc }: HostChoicesProps) {
  return (
    <>
      <BiosPicker
        attributes={proposal?.bios ?? null}
        before={before?.bios ?? {}}
        chosen={bios.state.value}
        onChange={(names) => bios.handleChange([...names])}
      />
      <BmcPicker
        settings={proposal?.bmc ?? null}
        before={before?.bmc}
        chosen={bmc.state.value}
        onChange={(parts) => bmc.handleChange([...parts])}
      />
    </>
  );
}
