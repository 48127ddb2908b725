"use client";
// Adds an agent image as the candidate of a site.
import { useState } from "react";
import { z } from "zod";
import { useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { typedValue } from "@/components/ui/form/schemas";
import type { SiteImages } from "@/server/surfaces/trpc/types";
import { fewOf, stageFault } from "@/components/cleaning/images/next-stage";
import { useSendImage } from "@/components/cleaning/images/use-send-image";

interface AddImageProps {
  readonly site: SiteImages;
  /** Why this person may not. */
  readonly whyNot: string | undefined;
}

export function AddImage({ site, whyNot }: AddImageProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button small disabledReason={whyNot} onClick={() => setOpen(true)}>
        Add an image…
      </Button>
      {open ? <AddDialog site={site} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

const schema = z.object({
  version: z.string().trim().min(1, "Enter a version"),
  url: z.string().trim().min(1, "Enter an address"),
  sha256: z
    .string()
    .trim()
    .regex(/^([0-9a-f]{64})?$/i, "A SHA-256 has 64 hexadecimal digits")
    .transform((digits) => (digits === "" ? null : digits)),
  hosts: typedValue(fewOf, stageFault("few")),
  signed: z.boolean(),
  kind: z.boolean().transform((isIronic) => (isIronic ? "ironic" : "reclaim")),
});

const empty: z.input<typeof schema> = {
  version: "",
  url: "",
  sha256: "",
  hosts: "5",
  signed: false,
  kind: false,
};

const fields = [
  { name: "version", label: "Version", aside: "shown on hosts and brakes; unique per site" },
  { name: "url", label: "Address", aside: "the folder with vmlinuz and initrd.img" },
  {
    name: "sha256",
    label: "SHA-256 of initrd.img, if known",
    aside: "added to the kernel command line, which measured boot records",
  },
] as const;

const marks = [
  {
    name: "signed",
    label: "Signed",
    aside: "hosts check vmlinuz.sig and initrd.img.sig and refuse the image if they do not match",
  },
  {
    name: "kind",
    label: "Ironic’s agent",
    aside:
      "it runs its own steps but no erases, and proves nothing: a host cleaned by it alone does not become Ready",
  },
] as const;

function AddDialog({ site, onClose }: { readonly site: SiteImages; readonly onClose: () => void }) {
  const client = useTRPCClient();
  const { send, problem } = useSendImage(onClose);
  const form = useAppForm({
    defaultValues: empty,
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) => {
      const image = schema.parse(value);
      return send(
        formApi,
        `Image ${image.version} goes to the next ${image.hosts} hosts of site ${site.site} that boot.`,
        () => client.images.add.mutate({ siteId: site.siteId, ...image }),
      );
    },
  });
  return (
    <form.AppForm>
      <FormDialog
        title={`Add an agent image to site ${site.site}`}
        consequence={
          <p>
            A few hosts get it at their next boot. All others keep booting the current image until you roll it
            out further.
          </p>
        }
        confirmWords="Add the image"
        schema={schema}
        problem={problem}
        onClose={onClose}
      >
        {fields.map(({ name, ...words }) => (
          <form.AppField key={name} name={name}>
            {(field) => <field.TextField {...words} mono />}
          </form.AppField>
        ))}
        <form.AppField name="hosts">
          {(field) => (
            <field.TextField
              label="Initial rollout size"
              aside="the next hosts that boot"
              inputMode="numeric"
              short
            />
          )}
        </form.AppField>
        {marks.map(({ name, ...words }) => (
          <form.AppField key={name} name={name}>
            {(field) => <field.CheckField {...words} />}
          </form.AppField>
        ))}
      </FormDialog>
    </form.AppForm>
  );
}
