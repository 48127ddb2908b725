"use client";
// Creates a user, or changes a user's name, role and organization.
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { z } from "zod";
import { useTRPC } from "@/components/trpc/trpc";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { routes } from "@/server/domain/console/routes";
import { roles, roleTable } from "@/server/domain/access/roles";
import type { PersonLine } from "@/server/surfaces/trpc/types";
import { accessNouns } from "@/components/access/use-access";

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
export function PersonDialog({ person, isSelf, onCreated, onClose }: PersonDialogProps) {
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
