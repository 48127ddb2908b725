// The columns of the list of certificates.
import Link from "next/link";
import { StandingLabel } from "@/components/assurance/standing";
import { typeLabel } from "@/components/assurance/certificates/certificate-labels";
import { IdText } from "@/components/ui/id-text";
import { Mark } from "@/components/ui/mark";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { ProofTime, proofTimeWidth } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";
import type { CertificateLine } from "@/server/surfaces/trpc/types";

const column = columnsOf<CertificateLine>();

const typeColumn = (onOpen: (id: string) => void): TableColumn<CertificateLine> =>
  column.cell(
    "type",
    "Type",
    ({ id, type, kind }) => {
      const { words, tone } = typeLabel(type, kind);
      return (
        <button type="button" className="link" onClick={() => onOpen(id)}>
          <Mark tone={tone} label="" /> {words}
        </button>
      );
    },
    { width: "20%", narrow: "top-start", rowHeader: true, always: true },
  );

const standingColumn = column.cell(
  "standing",
  "Standing",
  ({ standing }) => <StandingLabel standing={standing} />,
  { width: 176, narrow: "line" },
);

const hostColumn = column.cell(
  "host",
  "Host",
  ({ host, hostId }) =>
    host === null ? <IdText id={hostId} /> : <Link href={routes.host(host, { tab: "history" })}>{host}</Link>,
  { narrow: "bottom-start" },
);

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

const timeColumns = [
  column.cell("made", "Made", ({ madeAt }) => <ProofTime at={madeAt} />, {
    width: proofTimeWidth,
    narrow: "top-end",
  }),
  column.cell(
    "signed",
    "Signed",
    ({ signedAt }) => (signedAt === null ? "pending" : <ProofTime at={signedAt} />),
    { width: proofTimeWidth, narrow: "bottom-end", className: "text-quiet" },
  ),
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
