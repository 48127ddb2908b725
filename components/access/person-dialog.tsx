"use client";
// Creates a user, or changes a user's name, role and organization.
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { z } from "zod";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { useSend } from "@/components/ui/form/use-send";
import { routes } from "@/server/domain/console/routes";
import { roles, roleTable } from "@/server/domain/access/roles";
import type { PersonLine } from "@/server/surfaces/trpc/types";
import { useAccessChanged } from "@/components/access/use-access";

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
      name: z.string().trim().min(1, "Enter a name").max(128),
      role: z.enum(roles),
      org: z.string(),
    })
    .superRefine(({ role, org }, context) => {
      if (roleTable[role].ofTenant && org === "")
        context.addIssue({ code: "custom", path: ["org"], message: "Choose the organization" });
    });

type Typed = z.output<ReturnType<typeof schemaOf>>;

/** Provider roles have no organization, even if one was chosen while another role was selected. */
const orgOf = ({ role, org }: Typed): string | null => (roleTable[role].ofTenant ? org : null);

const textsOf = (person: PersonLine | undefined): z.input<ReturnType<typeof schemaOf>> => ({
  email: person?.email ?? "",
  name: person?.name ?? "",
  role: roles.find((role) => role === person?.role) ?? "operator",
  org: person?.org ?? "",
});

/** Submits the form; a new user's initial password is passed to `onCreated`, which shows it. */
function usePersonForm({ person, onCreated, onClose }: PersonDialogProps) {
  const client = useTRPCClient();
  const onDone = useAccessChanged();
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const [schema] = useState(() => schemaOf(person === undefined));
  const [texts] = useState(() => textsOf(person));
  const form = useAppForm({
    defaultValues: texts,
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) => {
      const typed = schema.parse(value);
      const { email, name, role } = typed;
      const given = { name, role, org: orgOf(typed) };
      return person === undefined
        ? send(formApi, `The user ${name} is created.`, async () =>
            onCreated(await client.people.create.mutate({ email, ...given })),
          )
        : send(formApi, `The user ${name} is changed.`, () =>
            client.people.change.mutate({ personId: person.personId, ...given }),
          );
    },
  });
  return { form, schema, problem };
}

export function PersonDialog(props: PersonDialogProps) {
  const { person, isSelf, onClose } = props;
  const { form, schema, problem } = usePersonForm(props);
  const tenants = useTenants();
  return (
    <form.AppForm>
      <FormDialog
        title={person === undefined ? "Create a user" : `Change ${person.name}`}
        consequence={
          <p>
            {person === undefined
              ? "The initial password is shown once, after this."
              : isSelf
                ? "You cannot change your own role: ask another provider admin."
                : "A changed role applies from the next request, also for open sessions and tokens."}
          </p>
        }
        confirmWords={person === undefined ? "Create user" : "Change user"}
        schema={schema}
        problem={problem}
        edits={person !== undefined}
        onClose={onClose}
      >
        {person === undefined ? (
          <form.AppField name="email">
            {(field) => <field.TextField label="Email" type="email" />}
          </form.AppField>
        ) : null}
        <form.AppField name="name">{(field) => <field.TextField label="Name" />}</form.AppField>
        <form.AppField name="role">
          {(field) => (
            <field.SelectField
              label="Role"
              options={roles.map((role) => ({ value: role, label: roleTable[role].words }))}
            />
          )}
        </form.AppField>
        <form.Subscribe selector={({ values }) => values.role}>
          {(role) =>
            roleTable[role].ofTenant ? (
              <form.AppField name="org">
                {(field) => (
                  <field.SelectField
                    label="Organization"
                    hint={tenants?.length === 0 ? <NoTenant /> : undefined}
                    options={[{ value: "", label: "choose one" }, ...(tenants ?? [])]}
                  />
                )}
              </form.AppField>
            ) : null
          }
        </form.Subscribe>
      </FormDialog>
    </form.AppForm>
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
