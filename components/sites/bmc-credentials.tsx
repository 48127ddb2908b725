"use client";
// A site's sets of BMC credentials. Passwords are never shown: an empty field keeps the stored one.
import { useState } from "react";
import { z } from "zod";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { ActFormDialog, pageCloses } from "@/components/ui/dialogs/act-dialog";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import type { SiteView } from "@/server/surfaces/trpc/types";
import { ApplyDialog, type Draft } from "@/components/sites/apply-dialog";
import { documentWith } from "@/components/sites/draft";

/** A set as shown on the page. */
interface CredentialSet {
  readonly name: string;
  readonly username: string;
}

/** A set as typed; an empty password keeps the stored one. */
interface TypedSet extends CredentialSet {
  readonly password: string;
}

const secretName = "BMC_PASSWORD";
const stored = { stored: true };

/** @param typed null to remove the set of this name */
function draftOf({ site, document, revision }: SiteView, name: string, typed: TypedSet | null): Draft {
  const others = Object.entries(document.bmcCredentials ?? {}).filter(([other]) => other !== name);
  const next =
    typed === null
      ? []
      : [
          [
            name,
            {
              username: typed.username,
              password: typed.password === "" ? stored : { fromEnv: secretName },
            },
          ] as const,
        ];
  return {
    site,
    revision,
    document: documentWith(document, { bmcCredentials: Object.fromEntries([...others, ...next]) }),
    ...(typed === null || typed.password === ""
      ? {}
      : { secrets: { [`env:${secretName}`]: typed.password } }),
  };
}

type Asked =
  | { readonly kind: "type"; readonly set: CredentialSet | undefined }
  | { readonly kind: "apply"; readonly draft: Draft };

interface BmcCredentialsProps {
  readonly view: SiteView;
  readonly whyNot: string | undefined;
}

export function BmcCredentials({ view, whyNot }: BmcCredentialsProps) {
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const sets = Object.entries(view.document.bmcCredentials ?? {}).map(([name, { username }]) => ({
    name,
    username,
  }));
  const apply = (name: string, typed: TypedSet | null) =>
    setAsked({ kind: "apply", draft: draftOf(view, name, typed) });
  return (
    <section aria-label="BMC credentials">
      <div className="sec">
        <h2>BMC credentials</h2>
        <span className="sum cut">shared by several hosts</span>
        <span className="end">
          <Button small disabledReason={whyNot} onClick={() => setAsked({ kind: "type", set: undefined })}>
            Add a set…
          </Button>
        </span>
      </div>
      <DataTable
        caption="BMC credentials"
        columns={columnsFor(whyNot, {
          change: (set) => setAsked({ kind: "type", set }),
          remove: ({ name }) => apply(name, null),
        })}
        rows={sets}
        rowId={({ name }) => name}
        empty={
          <Empty title="No credential sets">
            Hosts whose BMCs have the same user and password can name one set. A host without a set has
            credentials of its own.
          </Empty>
        }
      />
      {asked?.kind === "type" ? (
        <SetDialog
          set={asked.set}
          taken={sets.map(({ name }) => name)}
          onClose={close}
          onTyped={(typed) => apply(typed.name, typed)}
        />
      ) : null}
      {asked?.kind === "apply" ? (
        <ApplyDialog draft={asked.draft} onApplied={() => undefined} onClose={close}>
          <p>
            Each host that names the set uses the new user and password with its next request. Change the
            password at the BMCs first.
          </p>
        </ApplyDialog>
      ) : null}
    </section>
  );
}

interface SetActs {
  readonly change: (set: CredentialSet) => void;
  readonly remove: (set: CredentialSet) => void;
}

const column = columnsOf<CredentialSet>();

const columnsFor = (
  whyNot: string | undefined,
  { change, remove }: SetActs,
): readonly TableColumn<CredentialSet>[] => [
  column.name("name", "Name", ({ name }) => name, { width: 240, className: "mono" }),
  column.text("user", "User", ({ username }) => username, { narrow: "bottom-start", className: "mono" }),
  column.acts(168, (set) => (
    <span className="row-acts">
      <Button small disabledReason={whyNot} aria-label={`Change ${set.name}`} onClick={() => change(set)}>
        Change…
      </Button>
      <Button small disabledReason={whyNot} aria-label={`Remove ${set.name}`} onClick={() => remove(set)}>
        Remove…
      </Button>
    </span>
  )),
];

interface SetDialogProps {
  /** Undefined for a new one. */
  readonly set: CredentialSet | undefined;
  readonly taken: readonly string[];
  readonly onClose: () => void;
  readonly onTyped: (typed: TypedSet) => void;
}

/** Validates the fields. */
export const credentialSchema = (set: CredentialSet | undefined, taken: readonly string[]) =>
  z.object({
    name: z
      .string()
      .trim()
      .min(1, "Enter a name")
      .max(64)
      .refine((name) => set !== undefined || !taken.includes(name), "A set with this name already exists"),
    username: z.string().trim().min(1, "Enter the user").max(128),
    password: z
      .string()
      .max(4_096)
      .refine((password) => set !== undefined || password !== "", "Enter the password"),
  });

const SetDialog = ({ set, taken, onClose, onTyped }: SetDialogProps) => (
  <ActFormDialog
    title={set === undefined ? "Add a set of BMC credentials" : `Change the credentials ${set.name}`}
    consequence="The password is stored encrypted and never shown again."
    confirmWords="Continue"
    edits={set !== undefined}
    schema={credentialSchema(set, taken)}
    values={{ name: set?.name ?? "", username: set?.username ?? "", password: "" }}
    fields={{
      name: set === undefined ? { label: "Name", mono: true } : null,
      username: { label: "User", mono: true },
      password: {
        label: "Password",
        aside: set === undefined ? undefined : "leave empty to keep the stored one",
        type: "password",
        autoComplete: "new-password",
      },
    }}
    send={onTyped}
    onAccepted={pageCloses}
    onClose={onClose}
  />
);
