"use client";
// The dialogs for a site's certificate authorities; the page applies their result.
import { useState } from "react";
import { z } from "zod";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { authorityUses, bmcTrust } from "@/server/domain/sites/authorities";
import type { BmcTrust, SiteAuthority } from "@/server/domain/sites/authorities";

export interface NamedAuthority extends SiteAuthority {
  readonly name: string;
}

const authoritySchema = (authority: NamedAuthority | undefined, taken: readonly string[]) =>
  z
    .object({
      name: z
        .string()
        .trim()
        .min(1, "Enter a name")
        .max(64)
        .refine(
          (name) => authority !== undefined || !taken.includes(name),
          "An authority with this name already exists",
        ),
      pem: z
        .string()
        .trim()
        .refine((text) => text.includes("-----BEGIN CERTIFICATE-----"), "Paste the certificate as PEM"),
      bmc: z.boolean(),
      networkController: z.boolean(),
    })
    .refine(({ bmc, networkController }) => bmc || networkController, {
      path: ["pem"],
      message: "Choose what it is used for",
    });

interface AuthorityDialogProps {
  /** Undefined for a new one. */
  readonly authority: NamedAuthority | undefined;
  readonly taken: readonly string[];
  readonly onClose: () => void;
  readonly onTyped: (name: string, typed: SiteAuthority) => void;
}

export function AuthorityDialog({ authority, taken, onClose, onTyped }: AuthorityDialogProps) {
  const [schema] = useState(() => authoritySchema(authority, taken));
  const form = useAppForm({
    defaultValues: {
      name: authority?.name ?? "",
      pem: authority?.pem ?? "",
      bmc: authority?.usedFor.includes("bmc") ?? true,
      networkController: authority?.usedFor.includes("networkController") ?? false,
    },
    validators: { onChange: schema },
    onSubmit: ({ value }) => {
      const { name, pem, ...uses } = schema.parse(value);
      onTyped(name, { usedFor: authorityUses.filter((use) => uses[use]), pem });
    },
  });
  return (
    <form.AppForm>
      <FormDialog
        title={
          authority === undefined ? "Add a certificate authority" : `Change the authority ${authority.name}`
        }
        consequence={
          <p>If the site has authorities for a use, those of the system are not trusted for it.</p>
        }
        confirmWords="Continue"
        schema={schema}
        problem={undefined}
        edits={authority !== undefined}
        onClose={onClose}
      >
        {authority === undefined ? (
          <form.AppField name="name">{(field) => <field.TextField label="Name" mono />}</form.AppField>
        ) : null}
        <form.AppField name="pem">
          {(field) => (
            <field.TextAreaField
              label="Certificates"
              aside="PEM; no private key"
              maxLength={100_000}
              mono
              rows={8}
            />
          )}
        </form.AppField>
        {authorityUses.map((use) => (
          <form.AppField key={use} name={use}>
            {(field) => (
              <field.CheckField label={`Used for ${use === "bmc" ? "BMCs" : "the network controller"}`} />
            )}
          </form.AppField>
        ))}
      </FormDialog>
    </form.AppForm>
  );
}

const trustSchema = z.object({ trust: bmcTrust });
const trustOptions = [
  { value: "pinOrAuthority", label: "pin or authority" },
  { value: "pin", label: "pin only" },
  { value: "authority", label: "authority only" },
] as const satisfies readonly { value: BmcTrust; label: string }[];

interface TrustDialogProps {
  readonly trust: BmcTrust;
  readonly onClose: () => void;
  readonly onTyped: (trust: BmcTrust) => void;
}

export function TrustDialog({ trust, onClose, onTyped }: TrustDialogProps) {
  const form = useAppForm({
    defaultValues: { trust },
    validators: { onChange: trustSchema },
    onSubmit: ({ value }) => onTyped(trustSchema.parse(value).trust),
  });
  return (
    <form.AppForm>
      <FormDialog
        title="Trust of BMCs"
        consequence={<p>Which certificate a BMC must present before anything is sent to it.</p>}
        confirmWords="Continue"
        schema={trustSchema}
        problem={undefined}
        edits
        onClose={onClose}
      >
        <form.AppField name="trust">
          {(field) => (
            <field.SelectField
              label="A BMC is trusted by"
              options={trustOptions}
              hint="A certificate that was pinned stays pinned."
            />
          )}
        </form.AppField>
      </FormDialog>
    </form.AppForm>
  );
}
