"use client";
// What each role may do and how many users have it, for users who assign roles.
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { formatCount } from "@/components/ui/format/numbers";
import { roles, roleTable } from "@/server/domain/access/roles";
import type { Role } from "@/server/domain/access/roles";
import type { PersonLine } from "@/server/surfaces/trpc/types";

interface RoleLine {
  readonly role: Role;
  readonly users: number;
}

export function RolesTable({ people }: { readonly people: readonly PersonLine[] }) {
  const rows = roles.map((role): RoleLine => ({
    role,
    users: people.filter((person) => person.role === role && person.disabledAt === null).length,
  }));
  return (
    <>
      <div className="sec">
        <h2>Roles</h2>
        <span className="sum cut">a user has one, at every site</span>
      </div>
      <DataTable caption="Roles" columns={columns} rows={rows} rowId={({ role }) => role} />
    </>
  );
}

const columns: readonly TableColumn<RoleLine>[] = [
  {
    id: "role",
    label: "Role",
    width: 168,
    narrow: "top-start",
    rowHeader: true,
    cell: ({ role }) => roleTable[role].words,
  },
  {
    id: "of",
    label: "Belongs to",
    width: 120,
    narrow: "bottom-start",
    cell: ({ role }) => (roleTable[role].ofTenant ? "a tenant" : "the provider"),
  },
  {
    id: "users",
    label: "Active users",
    width: 120,
    align: "end",
    narrow: "top-end",
    cell: ({ users }) => formatCount(users),
  },
  {
    id: "may",
    label: "May",
    spaced: true,
    narrow: "line",
    className: "text-quiet wrapping",
    cell: ({ role }) => roleTable[role].may,
  },
];
