"use client";
// Edits an instance's name, description and labels, which belong to the tenant.
import { z } from "zod";
import { ownSpecs, ownText } from "@/components/instances/instance-form";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { labelsText } from "@/components/ui/form/label-lines";
import type { InstanceRow } from "@/server/surfaces/trpc/types";

const schema = z.object(ownText);

/** Mounted anew each time it opens. */
export const EditInstanceDialog = ({ row, onClose }: { row: InstanceRow; onClose: () => void }) => (
  <ActFormDialog
    title={`Edit ${row.name}`}
    consequence="The machine is not affected. Programs that find the instance by its name need the new name."
    confirmWords="Save instance"
    edits
    schema={schema}
    values={{ name: row.name, description: row.description ?? "", labels: labelsText(row.labels) }}
    fields={ownSpecs}
    send={({ description, ...own }, client) =>
      client.instances.update.mutate({
        instanceId: row.id,
        ...own,
        description: description === "" ? null : description,
      })
    }
    said={(_, { name }) => `${name} saved`}
    stale={(trpc) => [trpc.instances]}
    onClose={onClose}
  />
);
