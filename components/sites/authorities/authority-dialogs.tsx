"use client";
// The dialogs for a site's certificate authorities; the page applies their result.
import { z } from "zod";
import { ActFormDialog, pageCloses } from "@/components/ui/dialogs/act-dialog";
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

export const AuthorityDialog = ({ authority, taken, onClose, onTyped }: AuthorityDialogProps) => (
  <ActFormDialog
    title={authority === undefined ? "Add a certificate authority" : `Change the authority ${authority.name}`}
    consequence="If the site has authorities for a use, those of the system are not trusted for it."
    confirmWords="Continue"
    edits={authority !== undefined}
    schema={authoritySchema(authority, taken)}
    values={{
      name: authority?.name ?? "",
      pem: authority?.pem ?? "",
      bmc: authority?.usedFor.includes("bmc") ?? true,
      networkController: authority?.usedFor.includes("networkController") ?? false,
    }}
    fields={{
      name: authority === undefined ? { label: "Name", mono: true } : null,
      pem: {
        label: "Certificates",
        aside: "PEM; no private key",
        maxLength: 100_000,
        mono: true,
        rows: 8,
      },
      bmc: { label: "Used for BMCs" },
      networkController: { label: "Used for the network controller" },
    }}
    send={({ name, pem, ...uses }) =>
      onTyped(name, { usedFor: authorityUses.filter((use) => uses[use]), pem })
    }
    onAccepted={pageCloses}
    onClose={onClose}
  />
);

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

export const TrustDialog = ({ trust, onClose, onTyped }: TrustDialogProps) => (
  <ActFormDialog
    title="Trust of BMCs"
    consequence="Which certificate a BMC must present before anything is sent to it."
    confirmWords="Continue"
    edits
    schema={trustSchema}
    values={{ trust }}
    fields={{
      trust: {
        label: "A BMC is trusted by",
        options: trustOptions,
        hint: "A certificate that was pinned stays pinned.",
      },
    }}
    send={(typed) => onTyped(typed.trust)}
    onAccepted={pageCloses}
    onClose={onClose}
  />
);
