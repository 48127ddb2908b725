"use client";
// Creates an instance: of a SKU, or on a specific host if the tenant may. Shows what is free and the remaining quota.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { createSeveral, missingOf } from "@/components/instances/create-several";
import type { SentNames } from "@/components/instances/create-several";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { Dialog } from "@/components/ui/dialogs/dialog";
import { formatCpu, formatDrives, formatParts } from "@/components/hosts/skus/sku-text";
import { formatBytes } from "@/components/ui/format/bytes";
import { formatCounted } from "@/server/domain/numbers";
import { Skeleton } from "@/components/ui/skeleton";
import type { InstanceOffer } from "@/server/surfaces/trpc/types";
import { idOrNothing, ownSpecs, ownText } from "@/components/instances/instance-form";

const title = "Create an instance";
const offerMs = 3000;
/** The option for a specific host instead of a SKU. */
const exactHost = "host";

type Kind = InstanceOffer["kinds"][number];
const kindKey = ({ siteId, skuId }: Kind): string => `${siteId}/${skuId}`;

/** More than this at once is more than a mistake should make. */
const mostAtOnce = 50;
const countText = `Enter a whole number from 1 to ${mostAtOnce}`;

const schema = z
  .object({
    kind: z.string().min(1, "Choose a SKU"),
    count: z
      .string()
      .trim()
      .regex(/^\d+$/, countText)
      .transform(Number)
      .pipe(z.int().min(1, countText).max(mostAtOnce, countText)),
    hostId: idOrNothing("Machine"),
    vpcId: idOrNothing("Network"),
    ...ownText,
  })
  .refine(({ kind, hostId }) => kind !== exactHost || hostId !== "", {
    path: ["hostId"],
    message: "Enter the id of a machine",
  });

/** Mounted anew each time it opens. */
export function CreateInstanceDialog({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const offer = useQuery(trpc.instances.offer.queryOptions());
  useLiveRefresh(() => offer.refetch(), { everyMs: offerMs });
  if (offer.data !== undefined) return <CreateForm offer={offer.data} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} title={title}>
      {offer.isError ? (
        <ProblemNotice
          error={offer.error}
          before="Free machines could not be read."
          onRetry={() => void offer.refetch()}
        />
      ) : (
        <Skeleton rows={4} />
      )}
    </Dialog>
  );
}

/** Preselects the SKU with the most free hosts; does not override a choice. */
const firstKind = ({ kinds }: InstanceOffer): string => {
  const [best] = [...kinds].sort((a, b) => b.free - a.free);
  return best === undefined || best.free === 0 ? "" : kindKey(best);
};

const choicesOf = ({ kinds, targeted }: InstanceOffer, chosen: string) => [
  ...(chosen === "" ? [{ value: "", label: "Choose a SKU" }] : []),
  ...kinds.map((each) => ({
    value: kindKey(each),
    label: `${each.sku}, site ${each.site}: ${each.free === 0 ? "none free" : `${each.free} free`}`,
  })),
  ...(targeted ? [{ value: exactHost, label: "An exact machine" }] : []),
];

function CreateForm({ offer, onClose }: { offer: InstanceOffer; onClose: () => void }) {
  const [sent] = useState((): SentNames => new Map());
  return (
    <ActFormDialog
      title={title}
      consequence={({ kind }) => <Consequence offer={offer} chosen={kind} />}
      confirmWords={({ kind, count }) =>
        kind === exactHost || !(Number(count) > 1)
          ? "Create instance"
          : `Create ${formatCounted(Number(count), "instance")}`
      }
      schema={schema}
      values={{
        kind: firstKind(offer),
        ...{ count: "1", hostId: "", name: "", description: "", labels: "", vpcId: "" },
      }}
      fields={({ kind, count, name }) => ({
        kind: { label: "SKU", options: choicesOf(offer, kind) },
        count:
          kind === exactHost
            ? null
            : {
                label: "How many",
                inputMode: "numeric",
                ...(Number(count) > 1
                  ? {
                      hint: `named ${name === "" ? "name" : name}-1 to -${count}; numbers that are taken are passed`,
                    }
                  : {}),
              },
        hostId:
          kind === exactHost
            ? { label: "Machine", hint: "its id, as NICo's API lists it", mono: true }
            : null,
        name: { ...ownSpecs.name, autoFocus: true },
        labels: { ...ownSpecs.labels, aside: "optional" },
        description: { label: "Description", aside: "optional" },
        vpcId: {
          label: "Network",
          aside: "optional",
          hint: "the id of one of your networks; empty: your default network",
          mono: true,
        },
      })}
      missing={({ kind, count, name }) =>
        whyNone(offer, kind, kind === exactHost ? 1 : missingOf(sent, name.trim(), Number(count)))
      }
      send={async ({ kind, count, hostId, vpcId, name, description, labels }, client) => {
        const [siteId = "", skuId = ""] = kind.split("/");
        const create = (each: string) =>
          client.instances.create.mutate({
            name: each,
            labels,
            wanted: kind === exactHost ? { hostId } : { siteId, skuId },
            ...(description === "" ? {} : { description }),
            ...(vpcId === "" ? {} : { network: { vpcId } }),
          });
        if (kind === exactHost || count === 1) await create(name);
        else await createSeveral(name, count, create, sent);
      }}
      said={(_, { kind, name, count }) =>
        kind === exactHost || count === 1
          ? `${name} is being prepared`
          : `${formatCounted(count, "instance")} are being prepared`
      }
      stale={(trpc) => [trpc.instances]}
      onClose={onClose}
    />
  );
}

function Consequence({ offer: { held, quota, kinds }, chosen }: { offer: InstanceOffer; chosen: string }) {
  const contents = kinds.find((each) => kindKey(each) === chosen)?.contents ?? null;
  return (
    <>
      <p>
        You get a whole machine until you release it.{" "}
        {quota === null
          ? `You hold ${formatCounted(held, "instance")}.`
          : `You hold ${held} of ${formatCounted(quota, "instance")}.`}
      </p>
      {contents === null ? null : <p className="text-soft">{contentsText(contents)}</p>}
    </>
  );
}

type Contents = NonNullable<Kind["contents"]>;

/** "Dell PowerEdge R750: 2 × Xeon 6430, 512 GiB of memory, drives: 8 × NVMe 3.84 TB; 8 × GPU NVIDIA H100". */
export function contentsText({ manufacturer, product, memoryBytes, ...rest }: Contents): string {
  const parts = rest.parts === undefined ? "" : `; ${formatParts(rest)}`;
  return `${manufacturer} ${product}: ${formatCpu(rest)}, ${formatBytes(memoryBytes)} of memory, drives: ${formatDrives(rest)}${parts}.`;
}

/** Why the server would refuse the request now. @param count how many are to be created; 0: it only has to say what it did */
function whyNone(
  { held, quota, kinds, stopped, targeted, allocated }: InstanceOffer,
  chosen: string,
  count: number,
): string | undefined {
  if (stopped !== null) return stopped;
  if (!allocated) return "You have no network allocation at any site. Ask the provider for one";
  if (kinds.length === 0 && !targeted) return "The provider offers no machines yet";
  if (count <= 0) return undefined;
  if (quota !== null && held >= quota)
    return `Your quota of ${formatCounted(quota, "instance")} is used up. Release an instance first`;
  const kind = kinds.find((each) => kindKey(each) === chosen);
  if (kind?.free === 0) return `No machine of ${kind.sku} is free. Choose another SKU`;
  if (quota !== null && held + count > quota)
    return `Your quota leaves ${formatCounted(quota - held, "more instance")}`;
  return kind !== undefined && count > kind.free
    ? `Only ${formatCounted(kind.free, "machine")} of ${kind.sku} ${kind.free === 1 ? "is" : "are"} free`
    : undefined;
}
