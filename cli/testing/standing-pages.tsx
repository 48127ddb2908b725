// The pages of the console that show hosts, returns and drives (cli/standing-walk.itest.ts).
import type { ReactNode } from "react";
import { CertificatesPage } from "@/components/assurance/certificates/certificates-page";
import { DrivePage } from "@/components/hosts/drives/drive-page";
import { DrivesPage } from "@/components/hosts/drives/drives-page";
import { FleetPage } from "@/components/fleet/fleet-page";
import { HostPage } from "@/components/hosts/one/host-page";
import { hostTabs } from "@/components/hosts/one/host-tabs";
import { HostsPage } from "@/components/hosts/list/hosts-page";
import { InstancesPage } from "@/components/instances/instances-page";
import { ReceiptPage } from "@/components/instances/receipt/receipt-page";
import { ProofPage } from "@/components/assurance/proof/proof-page";

export interface Page {
  readonly path: string;
  readonly search: string;
  readonly content: ReactNode;
}

interface Return {
  readonly name: string;
  readonly id: string;
  readonly instanceId: string;
  readonly driveId: string;
}

/** Those of the tenant, which the provider has as well. */
export const tenantPages = (returns: readonly Return[]): readonly Page[] => [
  { path: "/instances", search: "show=ended", content: <InstancesPage /> },
  { path: "/reclamations", search: "", content: <CertificatesPage /> },
  { path: "/proof", search: "", content: <ProofPage /> },
  ...returns.flatMap(({ id, instanceId }) => [
    { path: `/instances/${instanceId}`, search: "", content: <ReceiptPage id={instanceId} /> },
    { path: "/proof", search: `open=${id}`, content: <ProofPage /> },
  ]),
];

export const providerPages = (returns: readonly Return[]): readonly Page[] => [
  ...tenantPages(returns),
  { path: "/", search: "", content: <FleetPage /> },
  { path: "/hosts", search: "", content: <HostsPage /> },
  { path: "/drives", search: "", content: <DrivesPage /> },
  ...returns.flatMap(({ name, driveId }) => [
    { path: `/drives/${driveId}`, search: "", content: <DrivePage id={driveId} /> },
    ...hostTabs.map((tab) => ({
      path: `/hosts/${name}`,
      search: `tab=${tab}`,
      content: <HostPage name={name} tab={tab} reclamationId={undefined} />,
    })),
  ]),
];
