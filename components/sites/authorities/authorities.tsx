"use client";
// A site's certificate authorities, and which of them may sign BMC certificates (docs/sites.md#certificate-authorities).
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { Notice } from "@/components/ui/notice";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { formatFingerprint } from "@/server/domain/hardware/certificate";
import {
  type AuthorityUse,
  authorityUses,
  bmcTrust,
  type BmcTrust,
  type SiteAuthority,
} from "@/server/domain/sites/authorities";
import type { SiteView } from "@/server/surfaces/trpc/types";
import { ApplyDialog, type Draft } from "@/components/sites/apply-dialog";
import { documentWith } from "@/components/sites/draft";
import { z } from "zod";
import { ActFormDialog, pageCloses } from "@/components/ui/dialogs/act-dialog";

// The dialogs for a site's certificate authorities; the page applies their result.
interface NamedAuthority extends SiteAuthority {
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
      tpm: z.boolean(),
      component: z.boolean(),
    })
    .refine((typed) => authorityUses.some((use) => typed[use]), {
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

const AuthorityDialog = ({ authority, taken, onClose, onTyped }: AuthorityDialogProps) => (
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
      tpm: authority?.usedFor.includes("tpm") ?? false,
      component: authority?.usedFor.includes("component") ?? false,
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
      tpm: { label: "Used for TPMs" },
      component: { label: "Used for components that measure themselves (SPDM)" },
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

const TrustDialog = ({ trust, onClose, onTyped }: TrustDialogProps) => (
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

type CertificateLine = SiteView["authorities"][number];

/** A bundle in the document, with its parsed certificates. */
interface Bundle extends NamedAuthority {
  readonly certificates: readonly CertificateLine[];
}

const trustLabels: Readonly<Record<BmcTrust, string>> = {
  pinOrAuthority: "its pinned certificate, or one from an authority below",
  pin: "its pinned certificate only",
  authority: "one from an authority below; nobody confirms certificates",
};

const useLabels: Readonly<Record<AuthorityUse, string>> = {
  bmc: "BMCs",
  networkController: "network controller",
  tpm: "TPMs",
  component: "components",
};

const bundlesOf = ({ document, authorities }: SiteView): readonly Bundle[] =>
  Object.entries(document.authorities ?? {}).map(([name, authority]) => ({
    name,
    ...authority,
    certificates: authorities.filter((line) => line.name === name),
  }));

const draftOf = (
  { site, document, revision }: SiteView,
  part: Pick<Partial<SiteView["document"]>, "bmcTrust" | "authorities">,
): Draft => ({ site, revision, document: documentWith(document, part) });

/** @param typed null to remove the bundle of this name */
const draftWith = (view: SiteView, name: string, typed: SiteAuthority | null): Draft => {
  const { [name]: _, ...others } = view.document.authorities ?? {};
  return draftOf(view, { authorities: { ...others, ...(typed === null ? {} : { [name]: typed }) } });
};

type Asked =
  | { readonly kind: "bundle"; readonly bundle: Bundle | undefined }
  | { readonly kind: "trust" }
  | { readonly kind: "apply"; readonly draft: Draft };

interface AuthoritiesProps {
  readonly view: SiteView;
  readonly whyNot: string | undefined;
}

export function Authorities({ view, whyNot }: AuthoritiesProps) {
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const apply = (draft: Draft) => setAsked({ kind: "apply", draft });
  const bundles = bundlesOf(view);
  return (
    <section aria-label="Certificate authorities">
      <Head whyNot={whyNot} onAsk={setAsked} />
      <p>Reclaim accepts a BMC that shows {trustLabels[view.document.bmcTrust]}.</p>
      {view.authorities
        .filter(({ expiry }) => expiry !== "later")
        .map((line) => (
          <Expiry key={`${line.name} ${line.sha256}`} line={line} />
        ))}
      <DataTable
        caption="Certificate authorities"
        columns={columnsFor(whyNot, {
          change: (bundle) => setAsked({ kind: "bundle", bundle }),
          remove: ({ name }) => apply(draftWith(view, name, null)),
        })}
        rows={bundles}
        rowId={({ name }) => name}
        empty={
          <Empty title="No authorities of the site">
            The authorities of the server’s system are trusted. An authority added here for a use replaces
            them for that use.
          </Empty>
        }
      />
      {asked?.kind === "bundle" ? (
        <AuthorityDialog
          authority={asked.bundle}
          taken={bundles.map(({ name }) => name)}
          onClose={close}
          onTyped={(name, typed) => apply(draftWith(view, name, typed))}
        />
      ) : null}
      {asked?.kind === "trust" ? (
        <TrustDialog
          trust={view.document.bmcTrust}
          onClose={close}
          onTyped={(trust) => apply(draftOf(view, { bmcTrust: trust }))}
        />
      ) : null}
      {asked?.kind === "apply" ? (
        <ApplyDialog draft={asked.draft} onApplied={() => undefined} onClose={close}>
          <p>
            The change applies from the next connection. Pinned certificates stay pinned. A BMC whose
            certificate is no longer accepted is sent nothing until the certificate is confirmed or issued by
            a trusted authority.
          </p>
        </ApplyDialog>
      ) : null}
    </section>
  );
}

interface HeadProps {
  readonly whyNot: string | undefined;
  readonly onAsk: (asked: Asked) => void;
}

const Head = ({ whyNot, onAsk }: HeadProps) => (
  <div className="sec">
    <h2>Certificate authorities</h2>
    <span className="sum cut">trusted to issue the certificates of BMCs and the network controller</span>
    <span className="end">
      <Button small disabledReason={whyNot} onClick={() => onAsk({ kind: "trust" })}>
        Trust of BMCs…
      </Button>
      <Button small disabledReason={whyNot} onClick={() => onAsk({ kind: "bundle", bundle: undefined })}>
        Add an authority…
      </Button>
    </span>
  </div>
);

function Expiry({ line: { name, subject, validTo, expiry } }: { readonly line: CertificateLine }) {
  const day = validTo.slice(0, 10);
  return (
    <Notice tone={expiry === "expired" ? "failed" : "attention"}>
      {expiry === "expired"
        ? `Authority ${name} (${subject}) expired on ${day}: BMCs with a certificate from it are sent nothing.`
        : `Authority ${name} (${subject}) expires on ${day}.`}{" "}
      Add its successor, issue the BMCs certificates from it, then remove this one.
    </Notice>
  );
}

interface BundleActs {
  readonly change: (bundle: Bundle) => void;
  readonly remove: (bundle: Bundle) => void;
}

const column = columnsOf<Bundle>();

const columnsFor = (
  whyNot: string | undefined,
  { change, remove }: BundleActs,
): readonly TableColumn<Bundle>[] => [
  column.name("name", "Name", ({ name }) => name, { width: 160, className: "mono" }),
  column.cell(
    "subject",
    "Subject",
    ({ certificates }) => certificates.map(({ subject }) => subject).join("; "),
    {
      narrow: "bottom-start",
      title: ({ certificates }) =>
        certificates
          .map(({ subject, sha256 }) => `${subject}\nSHA-256 ${formatFingerprint(sha256)}`)
          .join("\n"),
    },
  ),
  column.cell(
    "until",
    "Valid until",
    ({ certificates }) => certificates[0]?.validTo.slice(0, 10) ?? "unknown",
    { width: 112, narrow: "bottom-end" },
  ),
  column.cell("use", "Used for", ({ usedFor }) => usedFor.map((use) => useLabels[use]).join(", "), {
    width: 184,
    narrow: "line",
  }),
  column.acts(168, (bundle) => <Acts bundle={bundle} whyNot={whyNot} change={change} remove={remove} />),
];

function Acts({
  bundle,
  whyNot,
  change,
  remove,
}: BundleActs & { readonly bundle: Bundle; readonly whyNot: string | undefined }) {
  return (
    <span className="row-acts">
      <Button
        small
        disabledReason={whyNot}
        aria-label={`Change ${bundle.name}`}
        onClick={() => change(bundle)}
      >
        Change…
      </Button>
      <Button
        small
        disabledReason={whyNot}
        aria-label={`Remove ${bundle.name}`}
        onClick={() => remove(bundle)}
      >
        Remove…
      </Button>
    </span>
  );
}
