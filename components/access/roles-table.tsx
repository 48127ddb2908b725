"use client";
// What each role may do and how many users have it, for users who assign roles.
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
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

const column = columnsOf<RoleLine>();

const columns = [
  column.name("role", "Role", ({ role }) => roleTable[role].words, { width: 168 }),
  column.cell("of", "Belongs to", ({ role }) => (roleTable[role].ofTenant ? "a tenant" : "the provider"), {
    width: 120,
    narrow: "bottom-start",
  }),
  column.count("users", "Active users", ({ users }) => users, { width: 120, narrow: "top-end" }),
  column.text("may", "May", ({ role }) => roleTable[role].may, {
    spaced: true,
    narrow: "line",
    className: "text-quiet wrapping",
  }),
];
