"use client";
// Creates or edits a SKU by hand: as fields, or with components and baseline as JSON.
import { useRouter } from "next/navigation";
import { useState } from "react";
import { z } from "zod";
import { Button } from "@/components/ui/button";
import { DialogButton } from "@/components/ui/dialogs/dialog-button";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { reasonText } from "@/components/ui/form/schemas";
import { routes } from "@/server/domain/console/routes";
import { skuComponents, type SkuComponents } from "@/server/domain/hosts/inventory/sku";
import type { SkuDetail, UnreadableSkuLine } from "@/server/surfaces/trpc/types";
import {
  type ComponentFields,
  type DriveFields,
  faultsOf,
  fieldsOf,
  withFields,
} from "@/components/hosts/skus/components-draft";
import { formatDocument } from "@/server/domain/schema-text";
import { Field, Select, TextInput } from "@/components/ui/form/controls";
import { mediaKinds } from "@/server/domain/hosts/inventory/inventory";
import { mediaText } from "@/components/hosts/skus/sku-text";

type TextName = Exclude<keyof ComponentFields, "drives">;

/** In display order, with the SKU member that each field edits. */
const texts: readonly {
  readonly name: TextName;
  readonly path: string;
  readonly label: string;
  readonly aside?: string;
}[] = [
  { name: "manufacturer", path: "manufacturer", label: "Manufacturer" },
  { name: "product", path: "product", label: "Product" },
  { name: "cpuCount", path: "cpus.count", label: "CPUs" },
  { name: "cpuModel", path: "cpus.model", label: "CPU model" },
  { name: "memory", path: "memoryBytes", label: "Memory", aside: "bytes, or for example 2048 GiB" },
  { name: "infiniband", path: "infiniband", label: "InfiniBand devices", aside: "without DPUs" },
];

const mediaOptions = mediaKinds.map((media) => ({ value: media, label: mediaText[media] }));

interface ComponentsFieldsProps {
  readonly fields: ComponentFields;
  /** The components as JSON, including what has no field. */
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** Keeps the text as typed, such as a size with its unit; the JSON holds the parsed value. */
function ComponentsFields({ fields: initial, text, onChange }: ComponentsFieldsProps) {
  const [fields, setFields] = useState(initial);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const faults = faultsOf(text);
  const change = (next: ComponentFields) => {
    setFields(next);
    onChange(withFields(text, next));
  };
  const errorAt = (path: string) => (left.has(path) ? faults.get(path) : undefined);
  const leave = (path: string) => () => setLeft(new Set([...left, path]));
  const { drives } = fields;
  return (
    <div className="wide">
      <div className="fields">
        {texts.map(({ name, path, label, aside }) => (
          <Field key={name} label={label} aside={aside} error={errorAt(path)}>
            {(aria) => (
              <TextInput
                aria={aria}
                value={fields[name]}
                onBlur={leave(path)}
                onChange={(value) => change({ ...fields, [name]: value })}
              />
            )}
          </Field>
        ))}
      </div>
      {drives.map((row, index) => (
        <DriveRow
          key={index}
          row={row}
          number={index + 1}
          errorAt={(member) => errorAt(`storage.${index}.${member}`)}
          onLeave={(member) => leave(`storage.${index}.${member}`)()}
          onChange={(next) => change({ ...fields, drives: drives.with(index, next) })}
          onRemove={() => change({ ...fields, drives: drives.toSpliced(index, 1) })}
        />
      ))}
      <Button
        small
        onClick={() =>
          change({ ...fields, drives: [...drives, { media: "nvme", count: "1", capacity: "" }] })
        }
      >
        Add drives
      </Button>
    </div>
  );
}

interface DriveRowProps {
  readonly row: DriveFields;
  /** From 1. */
  readonly number: number;
  readonly errorAt: (member: string) => string | undefined;
  readonly onLeave: (member: string) => void;
  readonly onChange: (row: DriveFields) => void;
  readonly onRemove: () => void;
}

function DriveRow({ row, number, errorAt, onLeave, onChange, onRemove }: DriveRowProps) {
  return (
    <fieldset className="entry" aria-label={`Drives ${number}`}>
      <div className="fields">
        <Field label="Media" error={errorAt("media")}>
          {(aria) => (
            <Select
              aria={aria}
              value={row.media}
              options={mediaOptions}
              onChange={(media) => onChange({ ...row, media })}
            />
          )}
        </Field>
        <Field label="Count" error={errorAt("count")}>
          {(aria) => (
            <TextInput
              aria={aria}
              value={row.count}
              onBlur={() => onLeave("count")}
              onChange={(count) => onChange({ ...row, count })}
            />
          )}
        </Field>
        <Field label="Capacity of each" aside="bytes, exactly" error={errorAt("capacityBytes")}>
          {(aria) => (
            <TextInput
              aria={aria}
              value={row.capacity}
              onBlur={() => onLeave("capacityBytes")}
              onChange={(capacity) => onChange({ ...row, capacity })}
            />
          )}
        </Field>
      </div>
      <Button small aria-label={`Remove drives ${number}`} onClick={onRemove}>
        Remove
      </Button>
    </fieldset>
  );
}

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
  name: z.string().trim().min(1, "Enter a name").max(128, "At most 128 characters"),
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

interface SkuDialogProps {
  /** Null for a new one. */
  readonly sku: EditedSku | null;
  readonly onClose: () => void;
}

export function SkuDialog({ sku, onClose }: SkuDialogProps) {
  const router = useRouter();
  const [before] = useState(sku);
  /** Fields or JSON: two views of one value. */
  const [asJson, setAsJson] = useState(false);
  return (
    <ActFormDialog
      title={sku === null ? "New SKU" : `Change ${sku.name}`}
      consequence="Hosts are compared with it at their next inventory; hosts waiting for a SKU, at once. Ready hosts stay Ready."
      confirmWords={sku === null ? "Create SKU" : "Save changes"}
      schema={skuSchema}
      values={{ name: before?.name ?? "", components: textOf(before), reason: "" }}
      fields={({ components: text }, set) => {
        const parts = fieldsOf(text);
        const isForm = !asJson && parts !== null;
        return {
          name: { label: "Name", maxLength: 128 },
          components: isForm ? (
            <ComponentsFields fields={parts} text={text} onChange={(next) => set("components", next)} />
          ) : (
            {
              label: "Components and baseline",
              aside: "JSON, as in a site document",
              maxLength: 200_000,
              mono: true,
              rows: 14,
              wide: true,
            }
          ),
          "components.view": (
            <p className="wide text-quiet">
              {isForm
                ? "Parts, tests and baseline are edited as JSON; a baseline can be captured from a host. "
                : ""}
              <Button
                small
                disabledReason={parts === null ? "The text is not a JSON object" : undefined}
                onClick={() => setAsJson(isForm)}
              >
                {isForm ? "Edit as JSON" : "Edit as a form"}
              </Button>
            </p>
          ),
          reason: { label: "Reason", maxLength: 500 },
        };
      }}
      send={async (entry, { skus }) => {
        const saved =
          before === null
            ? await skus.create.mutate({ ...entry, priorities: {} })
            : await skus.change.mutate({
                ...entry,
                sku: before.name,
                revision: before.revision,
                priorities: before.priorities,
              });
        if (saved.name !== before?.name) router.push(routes.sku(saved.name));
        return saved;
      }}
      said={({ name }) => `SKU ${name} ${before === null ? "created" : "saved"}`}
      stale={(trpc) => [trpc.skus]}
      onClose={onClose}
    />
  );
}
