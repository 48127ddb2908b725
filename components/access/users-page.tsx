"use client";
// Users: who can sign in, with which role, and when they last did. Create, change and disable users, and reset passwords.
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
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
import { formatCounted } from "@/server/domain/numbers";
import { reachOf } from "@/server/domain/access/access";
import type { PersonLine } from "@/server/surfaces/trpc/types";
import { SecretOnce } from "@/components/ui/dialogs/secret-once";
import { RolesTable } from "@/components/access/roles-table";
import { accessEveryMs, accessNouns } from "@/components/access/use-access";
import Link from "next/link";
import { z } from "zod";
import { ActDialog, ActFormDialog, type Client } from "@/components/ui/dialogs/act-dialog";
import { routes } from "@/server/domain/console/routes";
import { roles, roleTable } from "@/server/domain/access/roles";

// Acts on one user: disable, enable, reset the password or the passkeys, end all sessions.
/** `resetPasskeys` asks for a reason. */
type PersonAct = "resetPasskeys" | PlainPersonAct;
type PlainPersonAct = "disable" | "enable" | "resetPassword" | "endSessions";

interface Offered {
  readonly words: string;
  readonly appliesTo: (person: PersonLine) => boolean;
  /** Why a user cannot do this to themselves; undefined if they can. */
  readonly notToSelf?: string;
}
interface PlainEntry extends Offered {
  readonly act: PlainPersonAct;
  readonly consequence: string;
  readonly said: string;
}

const isActive = ({ disabledAt }: PersonLine) => disabledAt === null;

const plainActs: readonly PlainEntry[] = [
  {
    act: "resetPassword",
    words: "Reset password",
    consequence:
      "A new password is shown once. The current one stops working and all sessions end; tokens stay. From then on, you cannot approve the user's requests, and the user cannot approve yours. If a device was stolen, reset the passkeys instead: that also revokes tokens.",
    said: "The password is reset.",
    appliesTo: isActive,
    notToSelf: "Change your own password on the page Account",
  },
  {
    act: "endSessions",
    words: "End all sessions",
    consequence: "The user has to sign in again everywhere. Tokens stay.",
    said: "All sessions ended.",
    appliesTo: isActive,
  },
  {
    act: "disable",
    words: "Disable",
    consequence:
      "The user cannot sign in. Sessions end and all tokens are revoked at once. What the user did stays in the audit log.",
    said: "The user is disabled.",
    appliesTo: isActive,
    notToSelf: "You cannot disable yourself: ask another provider admin",
  },
  {
    act: "enable",
    words: "Enable",
    consequence: "The user can sign in again with the password from before. Revoked tokens stay revoked.",
    said: "The user is enabled.",
    appliesTo: (person) => !isActive(person),
  },
];

const personActs: readonly (Offered & { readonly act: PersonAct })[] = [
  ...plainActs,
  {
    act: "resetPasskeys",
    words: "Reset passkeys",
    // Also offered after an earlier reset, because it lifts that reset's block on decisions.
    appliesTo: ({ passkeys, wasReset }) => passkeys > 0 || wasReset,
    notToSelf: "Remove your own on the page Account, or ask another provider admin",
  },
];

interface PersonActDialogProps {
  readonly act: PersonAct;
  readonly person: PersonLine;
  readonly onPassword: (shown: { readonly email: string; readonly password: string }) => void;
  readonly onClose: () => void;
}

function PersonActDialog({ act, person, onPassword, ...rest }: PersonActDialogProps) {
  const { personId, name } = person;
  const entry = plainActs.find((candidate) => candidate.act === act);
  if (entry === undefined)
    return (
      <ActDialog
        title={`Reset passkeys: ${name}?`}
        consequence={`All passkeys and tokens of this user are removed and all sessions end. A new password is shown once: give it to ${name} in person, who signs in with it and sets up a new passkey. After that, ${name} cannot approve your requests, and you cannot approve those of ${name}. An earlier reset by somebody else no longer counts.`}
        confirmWords="Reset passkeys"
        reason
        send={async ({ reason }, client) =>
          onPassword(await client.people.resetPasskeys.mutate({ personId, reason }))
        }
        said={`The passkeys of ${name} are reset.`}
        stale={accessNouns}
        {...rest}
      />
    );
  const sendAct = (client: Client): Promise<unknown> => {
    switch (entry.act) {
      case "endSessions":
        return client.sessions.endAll.mutate({ personId });
      case "resetPassword":
        return client.people.resetPassword.mutate({ personId }).then(onPassword);
      default:
        return client.people[entry.act].mutate({ personId });
    }
  };
  return (
    <ActDialog
      title={`${entry.words}: ${name}?`}
      consequence={entry.consequence}
      confirmWords={entry.words}
      send={(_, client) => sendAct(client)}
      said={entry.said}
      stale={accessNouns}
      {...rest}
    />
  );
}

interface PersonDialogProps {
  /** Undefined to create a user. */
  readonly person: PersonLine | undefined;
  readonly isSelf: boolean;
  readonly onCreated: (shown: { readonly email: string; readonly password: string }) => void;
  readonly onClose: () => void;
}

const schemaOf = (isNew: boolean) =>
  z
    .object({
      email: isNew ? z.email("Enter an email address").max(320) : z.string(),
      name: z.string().trim().min(1, "Enter a name").max(128, "At most 128 characters"),
      role: z.enum(roles),
      org: z.string(),
    })
    .superRefine(({ role, org }, context) => {
      if (roleTable[role].ofTenant && org === "")
        context.addIssue({ code: "custom", path: ["org"], message: "Choose the organization" });
    });

const newSchema = schemaOf(true);
const changeSchema = schemaOf(false);
const roleOptions = roles.map((role) => ({ value: role, label: roleTable[role].words }));

const textsOf = (person: PersonLine | undefined): z.input<typeof newSchema> => ({
  email: person?.email ?? "",
  name: person?.name ?? "",
  role: roles.find((role) => role === person?.role) ?? "operator",
  org: person?.org ?? "",
});

/** A new user's initial password is passed to `onCreated`, which shows it. */
function PersonDialog({ person, isSelf, onCreated, onClose }: PersonDialogProps) {
  const tenants = useTenants();
  const isNew = person === undefined;
  return (
    <ActFormDialog
      title={isNew ? "Create a user" : `Change ${person.name}`}
      consequence={
        isNew
          ? "The initial password is shown once, after this."
          : isSelf
            ? "You cannot change your own role: ask another provider admin."
            : "A changed role applies from the next request, also for open sessions and tokens."
      }
      confirmWords={isNew ? "Create user" : "Change user"}
      edits={!isNew}
      schema={isNew ? newSchema : changeSchema}
      values={textsOf(person)}
      fields={({ role }) => ({
        email: isNew ? { label: "Email", type: "email" } : null,
        name: { label: "Name" },
        role: { label: "Role", options: roleOptions },
        org: roleTable[role].ofTenant
          ? {
              label: "Organization",
              hint: tenants?.length === 0 ? <NoTenant /> : undefined,
              options: [{ value: "", label: "choose one" }, ...(tenants ?? [])],
            }
          : null,
      })}
      send={async ({ email, org, ...named }, client) => {
        // Provider roles have no organization, even if one was chosen while another role was selected.
        const given = { ...named, org: roleTable[named.role].ofTenant ? org : null };
        if (isNew) onCreated(await client.people.create.mutate({ email, ...given }));
        else await client.people.change.mutate({ personId: person.personId, ...given });
      }}
      said={(_, { name }) => `The user ${name} is ${isNew ? "created" : "changed"}.`}
      stale={accessNouns}
      onClose={onClose}
    />
  );
}

function NoTenant() {
  return (
    <>
      There is no tenant yet. Add one on the page{" "}
      <Link className="link" href={routes.settings.tenants()}>
        Tenants
      </Link>{" "}
      first.
    </>
  );
}

/** The organizations from any site's document; undefined while loading. */
function useTenants(): readonly { readonly value: string; readonly label: string }[] | undefined {
  const trpc = useTRPC();
  const { data: scopes } = useQuery(trpc.cleaning.scopes.queryOptions());
  const site = scopes?.sites[0]?.name;
  const { data } = useQuery({
    ...trpc.site.get.queryOptions({ site: site ?? "" }),
    enabled: site !== undefined,
  });
  if (scopes?.sites.length === 0) return [];
  if (data === undefined) return undefined;
  return (data.document.tenants ?? []).map(({ org, name }) => ({ value: org, label: `${name} (${org})` }));
}

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
