"use client";
// Acts on a host that ask for something: its SKU, place, labels, how its BMC is reached, and its decommission.
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { askText } from "@/components/hosts/one/ask-text";
import { useTRPC } from "@/components/trpc/trpc";
import { CopyButton } from "@/components/ui/copy-button";
import { ActDialog, ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { optionsOf, reasonField } from "@/components/ui/form/fields";
import { labelsSpec, labelsText, typedLabels } from "@/components/ui/form/label-lines";
import { reasonText } from "@/components/ui/form/schemas";
import { Time } from "@/components/ui/time/time";
import { standing } from "@/server/domain/hosts/decommission/leftovers";
import { keptText } from "@/server/domain/hardware/bmc-system";
import { formatFingerprint } from "@/server/domain/hardware/certificate";
import { hostLabels } from "@/server/domain/hosts/labels/host-labels";
import type { HostAction, HostDetail } from "@/server/surfaces/trpc/types";

export interface HostDialogProps {
  readonly host: HostDetail;
  readonly action: HostAction;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Assigns the SKU that the host is compared with. */
export function SkuDialog({ host, action, ...rest }: HostDialogProps) {
  const { data } = useSuspenseQuery(useTRPC().cleaning.scopes.queryOptions());
  const assigned = host.sku ?? "";
  return (
    <ActFormDialog
      {...askText(host, action)}
      schema={z.object({
        sku: z.string().refine((sku) => sku !== assigned, "Select another SKU"),
        reason: reasonText(),
      })}
      values={{ sku: assigned, reason: "" }}
      fields={{
        sku: {
          label: "SKU",
          options: [{ value: "", label: "none" }, ...optionsOf(data.skus.map(({ name }) => name))],
        },
        reason: { label: "Reason", maxLength: 500 },
      }}
      send={({ sku, reason }, client) =>
        client.host.assignSku.mutate({ hostId: host.id, sku: sku === "" ? null : sku, reason })
      }
      said={`SKU of ${host.name} changed`}
      {...rest}
    />
  );
}

/** Empty: none. */
const part = z
  .string()
  .trim()
  .max(64, "At most 64 characters")
  .transform((text) => (text === "" ? null : text));
const placeSchema = z.object({ rack: part, slot: part, segment: part, powerDomain: part });

/** Rack and slot are for people, segment and power domain for the admission limits. */
export const PlaceDialog = ({ host, action, ...rest }: HostDialogProps) => (
  <ActFormDialog
    {...askText(host, action)}
    schema={placeSchema}
    values={{
      rack: host.rack ?? "",
      slot: host.slot ?? "",
      segment: host.segment ?? "",
      powerDomain: host.powerDomain ?? "",
    }}
    fields={{
      rack: { label: "Rack" },
      slot: { label: "Slot" },
      segment: {
        label: "Network segment",
        hint: "network it boots in; boots per minute are limited per segment",
      },
      powerDomain: {
        label: "Power domain",
        hint: "hosts on one power supply; the number cleaned at once is limited",
      },
    }}
    send={(place, client) => client.host.setPlace.mutate({ hostId: host.id, place })}
    said={`Place of ${host.name} saved`}
    {...rest}
  />
);

const labelsSchema = z.object({ labels: typedLabels(hostLabels) });

/** Edits the labels, all at once. */
export const LabelsDialog = ({ host, action, ...rest }: HostDialogProps) => (
  <ActFormDialog
    {...askText(host, action)}
    edits
    schema={labelsSchema}
    values={{ labels: labelsText(host.labels) }}
    fields={{ labels: { ...labelsSpec, maxLength: 6_000 } }}
    send={({ labels }, client) => client.host.setLabels.mutate({ hostId: host.id, labels })}
    said={`Labels of ${host.name} saved`}
    {...rest}
  />
);

const optional = z
  .string()
  .trim()
  .transform((text) => (text === "" ? undefined : text));
const bmcSchema = z.object({
  address: z.string().trim().min(1, "Enter the address of the BMC"),
  system: optional,
  username: z.string().trim().min(1, "Enter a user"),
  password: z.string().transform((text) => (text === "" ? undefined : text)),
  certificate: optional,
  expectedSerial: optional,
  macs: z
    .string()
    .transform((text) => text.split(/[\s,;]+/).filter((mac) => mac !== ""))
    .transform((macs) => (macs.length === 0 ? undefined : macs)),
});

interface BmcDialogProps extends Pick<HostDialogProps, "onClose" | "onDone"> {
  readonly host: Pick<HostDetail, "id" | "name" | "bmcAddress" | "bmcSystem" | "bmcUsername" | "serial">;
  readonly action: Pick<HostAction, "words" | "consequence">;
}

/** Changes how the BMC is reached. An empty field keeps its value: passwords are never shown. */
export const BmcDialog = ({ host, action, ...rest }: BmcDialogProps) => (
  <ActFormDialog
    {...askText(host, action)}
    schema={bmcSchema}
    values={{
      address: host.bmcAddress ?? "",
      system: "",
      username: host.bmcUsername ?? "",
      ...{ password: "", certificate: "", expectedSerial: "", macs: "" },
    }}
    fields={{
      address: { label: "Address", hint: "https:// may be left out", mono: true },
      system: {
        label: "System",
        aside:
          host.bmcSystem === null
            ? "path, if the BMC has several; leave empty to keep"
            : `empty: ${host.bmcSystem}`,
        mono: true,
      },
      username: { label: "User", mono: true },
      password: { label: "Password", aside: "leave empty to keep", type: "password" },
      certificate: {
        label: "Certificate",
        aside: "expected SHA-256; leave empty to keep",
        mono: true,
      },
      expectedSerial:
        host.serial === null
          ? { label: "Serial", aside: "that the BMC must report; leave empty to keep", mono: true }
          : null,
      macs: { label: "MACs to add", hint: "if the BMC lists no network cards", mono: true },
    }}
    send={(bmc, client) => client.host.setBmc.mutate({ hostId: host.id, ...bmc })}
    said={({ others }) => [`BMC of ${host.name} saved`, ...keptText(others)].join(". ")}
    {...rest}
  />
);

/** Shows the certificate that the BMC presented, and asks the user to confirm that it is the BMC's. */
export function CertificateDialog({ host, action, ...rest }: HostDialogProps) {
  const { certificate } = host;
  return (
    <ActDialog
      {...askText(host, action)}
      consequence={
        <>
          <p>{action.consequence}</p>
          {certificate === null ? null : <Certificate certificate={certificate} />}
        </>
      }
      send={(_, client) =>
        client.host.confirmCertificate.mutate({ hostId: host.id, sha256: certificate?.sha256 ?? "" })
      }
      said={`Certificate of ${host.name} confirmed`}
      {...rest}
    />
  );
}

function Certificate({ certificate }: { certificate: NonNullable<HostDetail["certificate"]> }) {
  const words = formatFingerprint(certificate.sha256);
  return (
    <dl className="pairs">
      <dt>SHA-256</dt>
      <dd className="mono text-small">
        {words} <CopyButton text={words} what="the fingerprint" />
      </dd>
      <dt>Subject</dt>
      <dd>{certificate.subject === "" ? "(none)" : certificate.subject}</dd>
      <dt>Issuer</dt>
      <dd>{certificate.issuer === "" ? "(none)" : certificate.issuer}</dd>
      <dt>Valid</dt>
      <dd>
        <Time at={new Date(certificate.validFrom)} /> to <Time at={new Date(certificate.validTo)} />
      </dd>
      <dt>Issuer trust</dt>
      <dd>{certificate.trusted ? "issued by a trusted authority" : "no trusted authority"}</dd>
    </dl>
  );
}

const decommissionSchema = z.object({ reason: reasonText(), keepAccount: z.boolean() });

/** Asks for the reason, whether to keep the BMC account, and the host's name as confirmation. */
export const DecommissionDialog = ({ host, action, ...rest }: HostDialogProps) => (
  <ActFormDialog
    {...askText(host, action)}
    typeName={host.name}
    schema={decommissionSchema}
    values={{ reason: "", keepAccount: false }}
    fields={{
      reason: reasonField("Kept in the record, for example an RMA number."),
      keepAccount: { label: "Keep the BMC account that Reclaim signs in with" },
    }}
    send={(input, client) =>
      client.host.decommission.mutate({ hostId: host.id, stateVersion: host.stateVersion, ...input })
    }
    said={`Decommission requested on ${host.name}`}
    {...rest}
  />
);

/** Lets a host leave with leftovers that its BMC does not remove: exactly those listed, with a reason. */
export function AcceptLeftoversDialog({ host, action, ...rest }: HostDialogProps) {
  // The list as shown when the dialog opened, so that leftovers which appear later are not accepted unseen.
  const [shown] = useState(() => standing(host.leaving?.leftovers ?? []));
  return (
    <ActDialog
      {...askText(host, action)}
      consequence={
        <>
          <p>{action.consequence}</p>
          <ul>
            {shown.map(({ key, what, message }) => (
              <li key={key}>
                {what}
                {message === null ? null : <>: {message}</>}
              </li>
            ))}
          </ul>
        </>
      }
      reason="Recorded with your name."
      send={({ reason }, client) =>
        client.host.acceptLeftovers.mutate({
          hostId: host.id,
          stateVersion: host.stateVersion,
          reason,
          keys: shown.map(({ key }) => key),
        })
      }
      said={`Leftovers of ${host.name} accepted`}
      {...rest}
    />
  );
}
