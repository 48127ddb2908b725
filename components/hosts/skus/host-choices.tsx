"use client";
// Fields of a SKU's reference host: the host, and what its baseline takes besides firmware and lockdown.
import { BiosPicker } from "@/components/hosts/skus/bios-picker";
import { BmcPicker } from "@/components/hosts/skus/bmc-picker";
import { noNames, noParts } from "@/components/hosts/skus/use-proposal";
import type { BmcPart } from "@/server/domain/hosts/inventory/bmc-settings";
import type { PlatformBaseline } from "@/server/domain/hosts/inventory/platform";
import type { SkuProposalView } from "@/server/surfaces/trpc/types";

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
