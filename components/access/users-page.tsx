"use client";
// Users: who can sign in, with which role, and when they last did. Create, change and disable users, and reset passwords.
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMe } from "@/components/frame/me";
import { SettingsHead } from "@/components/sites/settings-head";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Menu, MenuAct } from "@/components/ui/menu";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { allRows } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import { formatCounted } from "@/components/ui/format/numbers";
import { reachOf } from "@/server/domain/access/access";
import type { PersonLine } from "@/server/surfaces/trpc/types";
import { SecretOnce } from "@/components/ui/dialogs/secret-once";
import { PersonActDialog, personActs, type PersonAct } from "@/components/access/person-acts";
import { PersonDialog } from "@/components/access/person-dialog";
import { RolesTable } from "@/components/access/roles-table";
import { accessEveryMs } from "@/components/access/use-access";

/** The open dialog, and its user. */
type Asked =
  | { readonly kind: "create" }
  | { readonly kind: "change"; readonly person: PersonLine }
  | { readonly kind: PersonAct; readonly person: PersonLine };

interface Shown {
  readonly email: string;
  readonly password: string;
}

export function UsersPage() {
  const trpc = useTRPC();
  const { role, personId } = useMe();
  const { data: people } = useSuspenseQuery({
    ...trpc.people.list.queryOptions(),
    refetchInterval: accessEveryMs,
  });
  const [asked, setAsked] = useState<Asked>();
  const [shown, setShown] = useState<Shown>();
  const whyNot =
    reachOf(role, "person.manage") === "any" ? undefined : "Only a provider admin can change users";
  const close = () => setAsked(undefined);
  const disabled = people.filter(({ disabledAt }) => disabledAt !== null).length;
  return (
    <>
      <SettingsHead
        what={`${formatCounted(people.length, "user")}${disabled === 0 ? "" : `, ${disabled} disabled`}`}
        acts={
          <Button small disabledReason={whyNot} onClick={() => setAsked({ kind: "create" })}>
            Create a user…
          </Button>
        }
      />
      <ResourceTable
        name="users"
        noun="user"
        caption="Users"
        fullWidth={false}
        columns={columnsFor(whyNot, personId, setAsked)}
        list={allRows(people)}
        rowId={(person) => person.personId}
        namesOf={({ name, email }) => [name, email]}
        rowClassName={({ disabledAt }) => (disabledAt === null ? undefined : "off")}
        empty={null}
      />
      <RolesTable people={people} />
      {asked === undefined ? null : asked.kind === "create" || asked.kind === "change" ? (
        <PersonDialog
          person={asked.kind === "change" ? asked.person : undefined}
          isSelf={asked.kind === "change" && asked.person.personId === personId}
          onCreated={setShown}
          onClose={close}
        />
      ) : (
        <PersonActDialog act={asked.kind} person={asked.person} onPassword={setShown} onClose={close} />
      )}
      {shown === undefined ? null : (
        <SecretOnce
          title={`Password of ${shown.email}`}
          what={`the password of ${shown.email}`}
          secret={shown.password}
          onClose={() => setShown(undefined)}
        />
      )}
    </>
  );
}

const column = columnsOf<PersonLine>();

const factColumns = (self: string): readonly TableColumn<PersonLine>[] => [
  column.cell(
    "name",
    "Name",
    ({ name, personId }) => (
      <>
        {name}
        {personId === self ? <span className="text-quiet">, you</span> : null}
      </>
    ),
    { narrow: "top-start", rowHeader: true, sort: ({ name }) => name },
  ),
  column.text("email", "Email", ({ email }) => email, { narrow: "line" }),
  column.cell("role", "Role", ({ roleWords, org }) => (org === null ? roleWords : `${roleWords} of ${org}`), {
    width: 200,
    narrow: "bottom-start",
    sort: ({ roleWords, org }) => `${org ?? ""} ${roleWords}`,
  }),
  column.cell("state", "State", ({ disabledAt }) => (disabledAt === null ? "active" : "disabled"), {
    width: 96,
    narrow: "bottom-end",
  }),
  column.text(
    "access",
    "Sessions, tokens, passkeys",
    ({ sessions, tokens, passkeys }) => `${sessions}, ${tokens}, ${passkeys}`,
    { width: 200, from: "wide", className: "text-quiet" },
  ),
  column.age("used", "Last used", ({ lastUsedAt }) => lastUsedAt, {
    width: 104,
    narrow: "top-end",
    none: <span className="text-quiet">never</span>,
  }),
];

const columnsFor = (
  whyNot: string | undefined,
  self: string,
  ask: (asked: Asked) => void,
): readonly TableColumn<PersonLine>[] => [
  ...factColumns(self),
  column.acts(168, (person) => <PersonActs person={person} whyNot={whyNot} self={self} ask={ask} />),
];

interface PersonActsProps {
  readonly person: PersonLine;
  /** Why this person may not change users. */
  readonly whyNot: string | undefined;
  /** The id of the signed-in user. */
  readonly self: string;
  readonly ask: (asked: Asked) => void;
}

function PersonActs({ person, whyNot, self, ask }: PersonActsProps) {
  return (
    <span className="row-acts">
      <Button
        small
        disabledReason={whyNot}
        aria-label={`Change ${person.name}`}
        onClick={() => ask({ kind: "change", person })}
      >
        Change…
      </Button>
      <Menu
        trigger={
          <button type="button" className="btn small" aria-label={`More acts on ${person.name}`}>
            More
          </button>
        }
      >
        {personActs.map(({ act, words, appliesTo, notToSelf }) =>
          appliesTo(person) ? (
            <MenuAct
              key={act}
              onSelect={() => ask({ kind: act, person })}
              disabledReason={whyNot ?? (person.personId === self ? notToSelf : undefined)}
            >
              {words}…
            </MenuAct>
          ) : null,
        )}
      </Menu>
    </span>
  );
}
