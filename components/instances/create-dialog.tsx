"use client";
// Creates an instance: of a SKU, or on a specific host if the tenant may. Shows what is free and the remaining quota.
import { useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { Dialog } from "@/components/ui/dialogs/dialog";
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

const schema = z
  .object({
    kind: z.string().min(1, "Choose a SKU"),
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

const CreateForm = ({ offer, onClose }: { offer: InstanceOffer; onClose: () => void }) => (
  <ActFormDialog
    title={title}
    consequence={<Consequence offer={offer} />}
    confirmWords="Create instance"
    schema={schema}
    values={{
      kind: firstKind(offer),
      ...{ hostId: "", name: "", description: "", labels: "", vpcId: "" },
    }}
    fields={({ kind }) => ({
      kind: { label: "SKU", options: choicesOf(offer, kind) },
      hostId:
        kind === exactHost ? { label: "Machine", hint: "its id, as NICo's API lists it", mono: true } : null,
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
    missing={({ kind }) => whyNone(offer, kind)}
    send={({ kind, hostId, vpcId, name, description, labels }, client) => {
      const [siteId = "", skuId = ""] = kind.split("/");
      return client.instances.create.mutate({
        name,
        labels,
        wanted: kind === exactHost ? { hostId } : { siteId, skuId },
        ...(description === "" ? {} : { description }),
        ...(vpcId === "" ? {} : { network: { vpcId } }),
      });
    }}
    said={(_, { name }) => `${name} is being prepared`}
    stale={(trpc) => [trpc.instances]}
    onClose={onClose}
  />
);

function Consequence({ offer: { held, quota } }: { offer: InstanceOffer }) {
  return (
    <p>
      You get a whole machine until you release it.{" "}
      {quota === null
        ? `You hold ${formatCounted(held, "instance")}.`
        : `You hold ${held} of ${formatCounted(quota, "instance")}.`}
    </p>
  );
}

/** Why the server would refuse the request now. */
function whyNone(
  { held, quota, kinds, stopped, targeted, allocated }: InstanceOffer,
  chosen: string,
): string | undefined {
  if (stopped !== null) return stopped;
  if (!allocated) return "You have no network allocation at any site. Ask the provider for one";
  if (kinds.length === 0 && !targeted) return "The provider offers no machines yet";
  if (quota !== null && held >= quota)
    return `Your quota of ${formatCounted(quota, "instance")} is used up. Release an instance first`;
  const kind = kinds.find((each) => kindKey(each) === chosen);
  return kind?.free === 0 ? `No machine of ${kind.sku} is free. Choose another SKU` : undefined;
}
