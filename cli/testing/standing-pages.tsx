// The pages of the console that show hosts, returns and drives (cli/standing-walk.itest.ts).
import type { ReactNode } from "react";
import { CertificatesPage } from "@/components/certificates/certificates-page";
import { DrivePage } from "@/components/drives/drive-page";
import { DrivesPage } from "@/components/drives/drives-page";
import { FleetPage } from "@/components/fleet/fleet-page";
import { HostPage } from "@/components/host/host-page";
import { hostTabs } from "@/components/host/host-tabs";
import { HostsPage } from "@/components/hosts/hosts-page";
import { InstancesPage } from "@/components/instances/instances-page";
import { ReceiptPage } from "@/components/instances/receipt/receipt-page";
import { ProofPage } from "@/components/proof/proof-page";

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
  { path: "/drives", search: "", content: <DrivesPage q="" /> },
  ...returns.flatMap(({ name, driveId }) => [
    { path: `/drives/${driveId}`, search: "", content: <DrivePage id={driveId} /> },
    ...hostTabs.map((tab) => ({
      path: `/hosts/${name}`,
      search: `tab=${tab}`,
      content: <HostPage name={name} tab={tab} reclamationId={undefined} />,
    })),
  ]),
];
