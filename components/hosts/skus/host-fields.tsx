"use client";
// The reference host of a SKU, and what its baseline takes besides firmware and lockdown.
import { HostChoices } from "@/components/hosts/skus/host-choices";
import { noNames, noParts } from "@/components/hosts/skus/use-proposal";
import { withFieldGroup } from "@/components/ui/form/form-kit";
import type { PlatformBaseline } from "@/server/domain/hosts/inventory/platform";
import type { SkuProposalView } from "@/server/surfaces/trpc/types";

interface HostFieldsProps {
  readonly label: string;
  readonly hosts: readonly { readonly id: string; readonly name: string }[];
  /** Whether the host can provide a baseline. */
  readonly hasBaseline: boolean;
  readonly proposal: SkuProposalView | undefined;
  /** What the SKU requires now. */
  readonly before: PlatformBaseline | undefined;
}
const noProps: HostFieldsProps = {
  label: "Host",
  hosts: [],
  hasBaseline: true,
  proposal: undefined,
  before: undefined,
};

/** Children are rendered between the host and the choices. */
export const HostFields = withFieldGroup({
  defaultValues: { hostId: "", bios: noNames, bmc: noParts },
  props: noProps,
  render: ({ group, label, hosts, hasBaseline, proposal, before, children }) => {
    // Another host has other settings.
    const chooseNone = () => {
      group.setFieldValue("bios", noNames);
      group.setFieldValue("bmc", noParts);
    };
    return (
      <>
        <group.AppField name="hostId" listeners={{ onChange: chooseNone }}>
          {(field) => (
            <field.SelectField
              label={label}
              options={hosts.map((host) => ({ value: host.id, label: host.name }))}
            />
          )}
        </group.AppField>
        {children}
        {!hasBaseline ? null : (
          <group.AppField name="bios">
            {(bios) => (
              <group.AppField name="bmc">
                {(bmc) => <HostChoices proposal={proposal} before={before} bios={bios} bmc={bmc} />}
              </group.AppField>
            )}
          </group.AppField>
        )}
      </>
    );
  },
});

/** The form fields of this group. */
export const hostFields = { hostId: "hostId", bios: "bios", bmc: "bmc" } as const;
