// The columns of the list of returns.
import Link from "next/link";
import { StandingLabel } from "@/components/assurance/standing";
import { FileLinks, FullTime, isInProgress } from "@/components/assurance/proof/return-cells";
import type { TableColumn } from "@/components/ui/table/columns";
import { routes } from "@/server/domain/console/routes";
import { drivesOf } from "@/server/domain/assurance/proof/basis-text";
import type { ReturnLine } from "@/server/surfaces/trpc/types";

type Column = TableColumn<ReturnLine>;

const returnedColumn = (onOpen: (id: string) => void): Column => ({
  id: "returned",
  label: "Returned, certificate",
  width: 208,
  narrow: "top-start",
  rowHeader: true,
  always: true,
  cell: ({ id, at, file }) => (
    <>
      <button type="button" className="link" onClick={() => onOpen(id)}>
        <FullTime at={at} />
      </button>
      <small className="mono">{file === null ? "no certificate" : (file.number ?? "being signed")}</small>
    </>
  ),
});

const hostColumn = (isTenant: boolean): Column => ({
  id: "host",
  label: isTenant ? "Machine" : "Host",
  narrow: "top-end",
  cell: ({ host, sku }) => (
    <>
      {host.name === null ? (
        <span className="mono">{host.serial ?? "unknown"}</span>
      ) : (
        <Link className="link" href={routes.host(host.name)} prefetch={false}>
          {host.name}
        </Link>
      )}
      <small className="mono">{sku ?? "no SKU"}</small>
    </>
  ),
});

const tenantColumn = (isTenant: boolean): Column => ({
  id: "tenant",
  label: isTenant ? "Instance" : "Tenant, instance",
  narrow: "bottom-start",
  cell: ({ tenant, instance, kind }) =>
    tenant === null ? (
      <span className="text-quiet">{kind}</span>
    ) : (
      <>
        {isTenant ? null : tenant.name}
        <small>{instance?.name ?? kind}</small>
      </>
    ),
});

/** What was proven, and the file that says so. */
const proofColumns: readonly Column[] = [
  {
    id: "drives",
    label: "Drives",
    width: 80,
    align: "end",
    from: "medium",
    cell: ({ counts, standing }) => drivesOf(standing, counts),
  },
  {
    id: "standing",
    label: "Standing",
    width: 196,
    narrow: "line",
    cell: (line) => (
      <>
        <StandingLabel standing={line.standing} quiet={isInProgress(line)} />
        <small>{line.says}</small>
      </>
    ),
  },
  {
    id: "file",
    label: "Signed file",
    width: 132,
    align: "end",
    narrow: "bottom-end",
    cell: (line) => <FileLinks line={line} />,
  },
];

/** @param onOpen opens the return in the side panel */
export const returnColumns = (onOpen: (id: string) => void, isTenant: boolean): readonly Column[] => [
  returnedColumn(onOpen),
  hostColumn(isTenant),
  tenantColumn(isTenant),
  ...proofColumns,
];
