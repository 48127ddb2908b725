"use client";
// Creates an instance: of a SKU, or on a specific host if the tenant may. Shows what is free and the remaining quota.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useStore } from "@tanstack/react-form";
import { useState } from "react";
import { z } from "zod";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Dialog } from "@/components/ui/dialogs/dialog";
import { formatCounted } from "@/components/ui/format/numbers";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { useSend } from "@/components/ui/form/use-send";
import { Skeleton } from "@/components/ui/skeleton";
import type { InstanceOffer } from "@/server/surfaces/trpc/types";
import { idOrNothing, ownText } from "@/components/instances/instance-form";

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

function useCreateForm(offer: InstanceOffer, onClose: () => void) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const onDone = () => void queryClient.invalidateQueries({ queryKey: trpc.instances.pathKey() });
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const [defaultValues] = useState(() => ({
    kind: firstKind(offer),
    hostId: "",
    name: "",
    description: "",
    labels: "",
    vpcId: "",
  }));
  const form = useAppForm({
    defaultValues,
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) => {
      const { kind, hostId, vpcId, name, description, labels } = schema.parse(value);
      const [siteId = "", skuId = ""] = kind.split("/");
      return send(formApi, `${name} is being prepared`, () =>
        client.instances.create.mutate({
          name,
          labels,
          wanted: kind === exactHost ? { hostId } : { siteId, skuId },
          ...(description === "" ? {} : { description }),
          ...(vpcId === "" ? {} : { network: { vpcId } }),
        }),
      );
    },
  });
  return { form, problem };
}

const choicesOf = ({ kinds, targeted }: InstanceOffer, chosen: string) => [
  ...(chosen === "" ? [{ value: "", label: "Choose a SKU" }] : []),
  ...kinds.map((each) => ({
    value: kindKey(each),
    label: `${each.sku}, site ${each.site}: ${each.free === 0 ? "none free" : `${each.free} free`}`,
  })),
  ...(targeted ? [{ value: exactHost, label: "An exact machine" }] : []),
];

function CreateForm({ offer, onClose }: { offer: InstanceOffer; onClose: () => void }) {
  const { form, problem } = useCreateForm(offer, onClose);
  const kind = useStore(form.store, ({ values }) => values.kind);
  return (
    <form.AppForm>
      <FormDialog
        title={title}
        consequence={<Consequence offer={offer} />}
        confirmWords="Create instance"
        schema={schema}
        missing={whyNone(offer, kind)}
        problem={problem}
        onClose={onClose}
      >
        <form.AppField name="kind">
          {(field) => <field.SelectField label="SKU" options={choicesOf(offer, kind)} />}
        </form.AppField>
        {kind === exactHost ? (
          <form.AppField name="hostId">
            {(field) => <field.TextField label="Machine" hint="its id, as NICo's API lists it" mono />}
          </form.AppField>
        ) : null}
        <form.AppField name="name">{(field) => <field.TextField label="Name" autoFocus />}</form.AppField>
        <form.AppField name="labels">
          {(field) => (
            <field.TextAreaField
              label="Labels"
              aside="optional"
              hint="one per line, such as team=vision"
              maxLength={20_000}
            />
          )}
        </form.AppField>
        <form.AppField name="description">
          {(field) => <field.TextField label="Description" aside="optional" />}
        </form.AppField>
        <form.AppField name="vpcId">
          {(field) => (
            <field.TextField
              label="Network"
              aside="optional"
              hint="the id of one of your networks; empty: your default network"
              mono
            />
          )}
        </form.AppField>
      </FormDialog>
    </form.AppForm>
  );
}

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
