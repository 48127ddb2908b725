"use client";
// Agent images per site: the current one, the candidate and its results, and previous ones.
import { formatCounted } from "@/server/domain/numbers";
import { useSuspenseQuery } from "@tanstack/react-query";
import { CleaningHead } from "@/components/frame/cleaning-head";
import { useMe } from "@/components/frame/me";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { Time } from "@/components/ui/time/time";
import { reachOf } from "@/server/domain/access/access";
import { formatRollout } from "@/server/domain/cleaning/images/image-rollout";
import type { ImageLine, ImagesPage as Images, SiteImages } from "@/server/surfaces/trpc/types";
import { CandidateSection } from "@/components/cleaning/images/candidate-section";
import { ImageSourceFacts } from "@/components/cleaning/images/image-source";
import { ImageUseFacts } from "@/components/cleaning/images/image-use";
import { z } from "zod";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { DialogButton } from "@/components/ui/dialogs/dialog-button";
import { typedValue } from "@/components/ui/form/schemas";
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

/** Adds an agent image as the candidate of a site. */
const AddImage = ({ site: { site, siteId }, whyNot }: AddImageProps) => (
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
          `Image ${version} goes to the next ${formatCounted(hosts, "host")} of site ${site} that boot.`
        }
        stale={(trpc) => [trpc.images]}
        onClose={onClose}
      />
    )}
  >
    Add an image…
  </DialogButton>
);

const refreshMs = 3000;
/** Polled: the live stream carries host events only, not changes to images. */
const othersMs = 10_000;

export function ImagesPage() {
  const trpc = useTRPC();
  const { data: images, refetch } = useSuspenseQuery({
    ...trpc.images.list.queryOptions(),
    refetchInterval: othersMs,
  });
  useLiveRefresh(refetch, { everyMs: refreshMs });
  const trying = images.sites.filter(({ candidate }) => candidate !== null).length;
  return (
    <>
      <CleaningHead
        what={
          trying === 0
            ? "no image is being rolled out"
            : `${trying === 1 ? "one image is" : `${trying} images are`} being rolled out`
        }
      />
      {images.sites.map((site) => (
        <Site key={site.siteId} site={site} configuredUrl={images.configuredUrl} />
      ))}
    </>
  );
}

function Site({ site, configuredUrl }: { site: SiteImages } & Pick<Images, "configuredUrl">) {
  const me = useMe();
  const whyNot =
    reachOf(me.role, "image.rollOut") === "any" ? undefined : "Only a provider admin can roll out images";
  return (
    <section aria-label={`Site ${site.site}`}>
      <div className="sec">
        <h2>Site {site.site}</h2>
        <span className="sum cut">
          {site.candidate === null
            ? "all hosts boot one image"
            : `${site.candidate.version} goes to ${formatRollout(site.candidate.rollout)}`}
        </span>
      </div>
      <div className="cols two">
        <div>
          <div className="sec">
            <h3>Current image</h3>
          </div>
          {site.current === null ? <Configured url={configuredUrl} /> : <Current image={site.current} />}
        </div>
        <div>
          <div className="sec">
            <h3>Candidate</h3>
            {site.candidate === null ? (
              <span className="end">
                <AddImage site={site} whyNot={whyNot} />
              </span>
            ) : null}
          </div>
          {site.candidate === null ? (
            <p className="text-quiet images-none">
              None. A new image goes to a few hosts first, then to a percentage, then to all. You start each
              stage; if hosts fail on the image, a brake takes all hosts off it.
            </p>
          ) : (
            <CandidateSection
              image={site.candidate}
              whyNot={whyNot}
              whyNotWithdraw={
                reachOf(me.role, "image.withdraw") === "any"
                  ? undefined
                  : `The role ${me.role} may not withdraw an image`
              }
            />
          )}
        </div>
      </div>
      {site.past.length === 0 ? null : <Past site={site} />}
    </section>
  );
}

function Configured({ url }: { url: string }) {
  return (
    <dl className="pairs">
      <dt>Image</dt>
      <dd>the server&rsquo;s default</dd>
      <dt>Address</dt>
      <dd className="mono">{url}</dd>
      <dt>Its hosts</dt>
      <dd className="text-quiet">
        are identified by the version their agents report; hosts of an image added here, by its version
      </dd>
    </dl>
  );
}

function Current({ image }: { image: NonNullable<SiteImages["current"]> }) {
  return (
    <dl className="pairs">
      <dt>Version</dt>
      <dd>
        <b className="text-medium">{image.version}</b>, since <Time at={image.changedAt} />
        {image.changedBy === null ? "" : `, by ${image.changedBy}`}
      </dd>
      <ImageSourceFacts image={image} />
      <ImageUseFacts use={image.use} />
    </dl>
  );
}

const endText = {
  replaced: "replaced",
  withdrawn: "withdrawn",
  candidate: "",
  current: "",
} as const satisfies Record<ImageLine["status"], string>;

/** Replaced and withdrawn images, newest first. */
function Past({ site }: { site: SiteImages }) {
  return (
    <>
      <div className="sec">
        <h3>Before</h3>
      </div>
      <DataTable
        caption={`Previous images of site ${site.site}`}
        columns={pastColumns}
        rows={site.past}
        rowId={({ id }) => id}
      />
    </>
  );
}

const column = columnsOf<ImageLine>();

const pastColumns = [
  column.name("version", "Version", ({ version }) => version, { width: 140, className: "text-medium" }),
  column.cell(
    "ended",
    "Ended",
    ({ status, changedBy }) => (
      <>
        {endText[status]}
        {changedBy === null ? "" : ` by ${changedBy}`}
      </>
    ),
    { width: 220, narrow: "bottom-start", title: ({ changedBy }) => changedBy },
  ),
  column.text("address", "Address", ({ url }) => url, {
    narrow: "line",
    className: "mono text-small text-quiet",
  }),
  column.time("when", "When", ({ changedAt }) => changedAt, {
    width: 140,
    align: "end",
    narrow: "top-end",
    className: "text-quiet",
  }),
];
