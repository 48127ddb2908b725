"use client";
// Adds an agent image as the candidate of a site.
import { z } from "zod";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { DialogButton } from "@/components/ui/dialogs/dialog-button";
import { typedValue } from "@/components/ui/form/schemas";
import type { SiteImages } from "@/server/surfaces/trpc/types";
import { fewOf, stageFault } from "@/components/cleaning/images/next-stage";

interface AddImageProps {
  readonly site: SiteImages;
  /** Why this person may not. */
  readonly whyNot: string | undefined;
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

export const AddImage = ({ site: { site, siteId }, whyNot }: AddImageProps) => (
  <DialogButton
    disabledReason={whyNot}
    dialog={(onClose) => (
      <ActFormDialog
        title={`Add an agent image to site ${site}`}
        consequence="A few hosts get it at their next boot. All others keep booting the current image until you roll it out further."
        confirmWords="Add the image"
        schema={schema}
        values={empty}
        fields={{
          version: { label: "Version", aside: "shown on hosts and brakes; unique per site", mono: true },
          url: { label: "Address", aside: "the folder with vmlinuz and initrd.img", mono: true },
          sha256: {
            label: "SHA-256 of initrd.img, if known",
            aside: "added to the kernel command line, which measured boot records",
            mono: true,
          },
          hosts: {
            label: "Initial rollout size",
            aside: "the next hosts that boot",
            inputMode: "numeric",
            short: true,
          },
          signed: {
            label: "Signed",
            aside: "hosts check vmlinuz.sig and initrd.img.sig and refuse the image if they do not match",
          },
          kind: {
            label: "Ironic’s agent",
            aside:
              "it runs its own steps but no erases, and proves nothing: a host cleaned by it alone does not become Ready",
          },
        }}
        send={(image, client) => client.images.add.mutate({ siteId, ...image })}
        said={(_, { version, hosts }) =>
          `Image ${version} goes to the next ${hosts} hosts of site ${site} that boot.`
        }
        stale={(trpc) => [trpc.images]}
        onClose={onClose}
      />
    )}
  >
    Add an image…
  </DialogButton>
);
