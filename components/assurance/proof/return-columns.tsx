// The columns of the list of returns.
import Link from "next/link";
import { StandingLabel } from "@/components/assurance/standing";
import { FileLinks, FullTime, isInProgress } from "@/components/assurance/proof/return-cells";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { routes } from "@/server/domain/console/routes";
import { drivesOf } from "@/server/domain/assurance/proof/basis-text";
import type { ReturnLine } from "@/server/surfaces/trpc/types";

type Column = TableColumn<ReturnLine>;

const column = columnsOf<ReturnLine>();

const returnedColumn = (onOpen: (id: string) => void): Column =>
  column.cell(
    "returned",
    "Returned, certificate",
    ({ id, at, file }) => (
      <>
        <button type="button" className="link" onClick={() => onOpen(id)}>
          <FullTime at={at} />
        </button>
        <small className="mono">{file === null ? "no certificate" : (file.number ?? "being signed")}</small>
      </>
    ),
    { width: 208, narrow: "top-start", rowHeader: true, always: true },
  );

const hostColumn = (isTenant: boolean): Column =>
  column.cell(
    "host",
    isTenant ? "Machine" : "Host",
    ({ host, sku }) => (
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
    { narrow: "top-end" },
  );

const tenantColumn = (isTenant: boolean): Column =>
  column.cell(
    "tenant",
    isTenant ? "Instance" : "Tenant, instance",
    ({ tenant, instance, kind }) =>
      tenant === null ? (
        <span className="text-quiet">{kind}</span>
      ) : (
        <>
          {isTenant ? null : tenant.name}
          <small>{instance?.name ?? kind}</small>
        </>
      ),
    { narrow: "bottom-start" },
  );

/** What was proven, and the file that says so. */
const proofColumns = [
  column.cell("drives", "Drives", ({ counts, standing }) => drivesOf(standing, counts), {
    width: 80,
    align: "end",
    from: "medium",
  }),
  column.cell(
    "standing",
    "Standing",
    (line) => (
      <>
        <StandingLabel standing={line.standing} quiet={isInProgress(line)} />
        <small>{line.says}</small>
      </>
    ),
    { width: 196, narrow: "line" },
  ),
  column.cell("file", "Signed file", (line) => <FileLinks line={line} />, {
    width: 132,
    align: "end",
    narrow: "bottom-end",
  }),
];

/** @param onOpen opens the return in the side panel */
export const returnColumns = (onOpen: (id: string) => void, isTenant: boolean): readonly Column[] => [
  returnedColumn(onOpen),
  hostColumn(isTenant),
  tenantColumn(isTenant),
  ...proofColumns,
];
