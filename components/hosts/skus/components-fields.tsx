"use client";
// A SKU's components as a form: a field for each part, a row for each class of drives.
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, Select, TextInput } from "@/components/ui/form/controls";
import { mediaKinds } from "@/server/domain/hosts/inventory/inventory";
import { mediaText } from "@/components/hosts/skus/sku-text";
import { faultsOf, withFields } from "@/components/hosts/skus/components-draft";
import type { ComponentFields, DriveFields } from "@/components/hosts/skus/components-draft";

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
export function ComponentsFields({ fields: initial, text, onChange }: ComponentsFieldsProps) {
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
