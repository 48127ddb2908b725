"use client";
// Shows the certificate that a BMC presented, and asks the user to confirm that it is the BMC's.
import { useTRPCClient } from "@/components/trpc/trpc";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { CopyButton } from "@/components/ui/copy-button";
import { Time } from "@/components/ui/time/time";
import { askText } from "@/components/hosts/one/ask-text";
import { formatFingerprint } from "@/server/domain/hardware/certificate";
import type { HostAction, HostDetail } from "@/server/surfaces/trpc/types";

interface CertificateDialogProps {
  readonly host: HostDetail;
  readonly action: HostAction;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function CertificateDialog({ host, action, onClose, onDone }: CertificateDialogProps) {
  const client = useTRPCClient();
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
      send={() =>
        client.host.confirmCertificate.mutate({ hostId: host.id, sha256: certificate?.sha256 ?? "" })
      }
      said={`Certificate of ${host.name} confirmed`}
      onClose={onClose}
      onDone={onDone}
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
