"use client";
// Creates or edits a SKU by hand: as fields, or with components and baseline as JSON.
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { ReactNode } from "react";
import { z } from "zod";
import { useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { DialogButton } from "@/components/ui/dialogs/dialog-button";
import { Fields } from "@/components/ui/form/fields";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { reasonText } from "@/components/ui/form/schemas";
import { routes } from "@/server/domain/console/routes";
import { skuComponents } from "@/server/domain/hosts/inventory/sku";
import type { SkuComponents } from "@/server/domain/hosts/inventory/sku";
import type { SkuDetail, UnreadableSkuLine } from "@/server/surfaces/trpc/types";
import { fieldsOf } from "@/components/hosts/skus/components-draft";
import { ComponentsFields } from "@/components/hosts/skus/components-fields";
import { useSendSku } from "@/components/hosts/skus/use-send-sku";
import { formatDocument } from "@/server/domain/schema-text";

/** Parses the JSON text of a SKU; what is wrong becomes the field's error. */
const componentsText = z.string().transform((text, context): SkuComponents => {
  const read = readJson(text);
  if (read === undefined) {
    context.addIssue({ code: "custom", message: "The components are not JSON" });
    return z.NEVER;
  }
  const parsed = skuComponents.safeParse(read, { error: formatDocument });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const at = issue?.path.join(".") ?? "";
  context.addIssue({
    code: "custom",
    message: `${at === "" ? "The components" : at}: ${issue?.message ?? "wrong"}`,
  });
  return z.NEVER;
});

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const skuSchema = z.object({
  name: z.string().trim().min(1, "Enter a name").max(128),
  components: componentsText,
  reason: reasonText(),
});

const template: SkuComponents = {
  manufacturer: "Dell Inc.",
  product: "",
  cpus: { count: 2, model: "" },
  memoryBytes: "0",
  storage: [{ media: "nvme", count: 1, capacityBytes: "3840755982336" }],
  infiniband: 0,
};

export const NewSku = ({ whyNot }: { readonly whyNot: string | undefined }) => (
  <DialogButton disabledReason={whyNot} dialog={(onClose) => <SkuDialog sku={null} onClose={onClose} />}>
    New SKU…
  </DialogButton>
);

/** An existing SKU to edit, or one to repair because its stored components are invalid. */
type EditedSku = Pick<SkuDetail, "name" | "revision" | "priorities"> &
  (Pick<SkuDetail, "components"> | Pick<UnreadableSkuLine, "stored">);

const textOf = (sku: EditedSku | null): string =>
  sku !== null && "stored" in sku ? sku.stored : JSON.stringify(sku?.components ?? template, null, 2);

/** @param sku null for a new one */
function useSkuForm(sku: EditedSku | null, onClose: () => void) {
  const client = useTRPCClient();
  const router = useRouter();
  const { send, problem } = useSendSku(onClose);
  const [before] = useState(sku);
  const form = useAppForm({
    defaultValues: {
      name: before?.name ?? "",
      components: textOf(before),
      reason: "",
    },
    validators: { onChange: skuSchema },
    onSubmit: async ({ value, formApi }) => {
      const entry = skuSchema.parse(value);
      await send(
        formApi,
        ({ name }) => (before === null ? `SKU ${name} created` : `SKU ${name} saved`),
        async () => {
          const saved =
            before === null
              ? await client.skus.create.mutate({ ...entry, priorities: {} })
              : await client.skus.change.mutate({
                  ...entry,
                  sku: before.name,
                  revision: before.revision,
                  priorities: before.priorities,
                });
          if (saved.name !== before?.name) router.push(routes.sku(saved.name));
          return saved;
        },
      );
    },
  });
  return { form, problem };
}

interface ComponentsProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** The JSON editor. */
  readonly json: ReactNode;
}

/** Fields or JSON: two views of one value. */
function Components({ text, onChange, json }: ComponentsProps) {
  const [asJson, setAsJson] = useState(false);
  const fields = fieldsOf(text);
  const isForm = !asJson && fields !== null;
  return (
    <>
      {isForm ? <ComponentsFields fields={fields} text={text} onChange={onChange} /> : json}
      <p className="wide text-quiet">
        {isForm ? "The baseline is edited as JSON, or captured from a host. " : ""}
        <Button
          small
          disabledReason={fields === null ? "The text is not a JSON object" : undefined}
          onClick={() => setAsJson(isForm)}
        >
          {isForm ? "Edit as JSON" : "Edit as a form"}
        </Button>
      </p>
    </>
  );
}

export function SkuDialog({
  sku,
  onClose,
}: {
  readonly sku: EditedSku | null;
  readonly onClose: () => void;
}) {
  const { form, problem } = useSkuForm(sku, onClose);
  return (
    <form.AppForm>
      <FormDialog
        title={sku === null ? "New SKU" : `Change ${sku.name}`}
        consequence={
          <p>
            Hosts are compared with it at their next inventory; hosts waiting for a SKU, at once. Ready hosts
            stay Ready.
          </p>
        }
        confirmWords={sku === null ? "Create SKU" : "Save changes"}
        schema={skuSchema}
        problem={problem}
        onClose={onClose}
      >
        <Fields form={form} fields={{ name: { label: "Name", maxLength: 128 } }} />
        <form.AppField name="components">
          {(field) => (
            <Components
              text={field.state.value}
              onChange={(text) => field.handleChange(text)}
              json={
                <field.TextAreaField
                  label="Components and baseline"
                  aside="JSON, as in a site document"
                  maxLength={200_000}
                  mono
                  rows={14}
                  wide
                />
              }
            />
          )}
        </form.AppField>
        <Fields form={form} fields={{ reason: { label: "Reason", maxLength: 500 } }} />
      </FormDialog>
    </form.AppForm>
  );
}
