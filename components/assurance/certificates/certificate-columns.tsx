// The columns of the list of certificates.
import Link from "next/link";
import { StandingLabel } from "@/components/assurance/standing";
import { typeLabel } from "@/components/assurance/certificates/certificate-labels";
import { IdText } from "@/components/ui/id-text";
import { Mark } from "@/components/ui/mark";
import type { TableColumn } from "@/components/ui/table/columns";
import { ProofTime, proofTimeWidth } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";
import type { CertificateLine } from "@/server/surfaces/trpc/types";

const typeColumn = (onOpen: (id: string) => void): TableColumn<CertificateLine> => ({
  id: "type",
  label: "Type",
  width: "20%",
  narrow: "top-start",
  rowHeader: true,
  always: true,
  cell: ({ id, type, kind }) => {
    const { words, tone } = typeLabel(type, kind);
    return (
      <button type="button" className="link" onClick={() => onOpen(id)}>
        <Mark tone={tone} label="" /> {words}
      </button>
    );
  },
});

const standingColumn: TableColumn<CertificateLine> = {
  id: "standing",
  label: "Standing",
  width: 176,
  narrow: "line",
  cell: ({ standing }) => <StandingLabel standing={standing} />,
};

const hostColumn: TableColumn<CertificateLine> = {
  id: "host",
  label: "Host",
  narrow: "bottom-start",
  cell: ({ host, hostId }) =>
    host === null ? <IdText id={hostId} /> : <Link href={routes.host(host, { tab: "history" })}>{host}</Link>,
};

/** A tenant knows its machines by its instances. */
const instanceColumn = (ofTenant: boolean): TableColumn<CertificateLine> => ({
  id: "instance",
  label: "Instance",
  width: 176,
  ...(ofTenant ? { narrow: "bottom-start" } : { from: "medium" }),
  cell: ({ instanceId, instance, tenant }) =>
    instanceId === null ? (
      "none"
    ) : (
      <span title={instanceId}>
        <Link href={routes.receipt(instanceId)} prefetch={false}>
          {instance ?? <IdText id={instanceId} />}
        </Link>
        {tenant === null ? null : ` of ${tenant}`}
      </span>
    ),
});

const timeColumns: readonly TableColumn<CertificateLine>[] = [
  {
    id: "made",
    label: "Made",
    width: proofTimeWidth,
    narrow: "top-end",
    cell: ({ madeAt }) => <ProofTime at={madeAt} />,
  },
  {
    id: "signed",
    label: "Signed",
    width: proofTimeWidth,
    narrow: "bottom-end",
    className: "text-quiet",
    cell: ({ signedAt }) => (signedAt === null ? "pending" : <ProofTime at={signedAt} />),
  },
];

/** @param onOpen opens the certificate in the side panel */
export const certificateColumns = (
  onOpen: (id: string) => void,
  ofTenant: boolean,
): readonly TableColumn<CertificateLine>[] => [
  typeColumn(onOpen),
  standingColumn,
  ...(ofTenant ? [] : [hostColumn]),
  instanceColumn(ofTenant),
  ...timeColumns,
];
