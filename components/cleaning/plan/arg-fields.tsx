"use client";
// Fields for a step's arguments, generated from their schemas, each with its fault.
import { useId, useState } from "react";
import { z } from "zod";
import { Button } from "@/components/ui/button";
import { Field, FieldError, Select, TextArea, TextInput } from "@/components/ui/form/controls";
import type { ControlAria } from "@/components/ui/form/controls";
import {
  isObject,
  linesOf,
  numberOf,
  formatPath,
  scalarOf,
  withMember,
  type Field as ArgumentField,
  type Json,
  type JsonObject,
} from "@/components/cleaning/plan/schema-field";

/** Faults by path, such as `settings.0.checksum`. */
export type PathFaults = ReadonlyMap<string, string>;

interface ArgFieldsProps {
  fields: readonly ArgumentField[];
  values: JsonObject;
  onChange: (values: JsonObject) => void;
  faults: PathFaults;
  /** The path of the object that these fields belong to, such as `settings.0.`. */
  prefix?: string;
}

/** One field per argument, in declaration order. */
export function ArgFields({ fields, values, onChange, faults, prefix = "" }: ArgFieldsProps) {
  return fields.map((field) => (
    <ArgField
      key={field.name}
      field={field}
      path={`${prefix}${field.name}`}
      value={values[field.name]}
      onChange={(value) => onChange(withMember(values, field.name, value))}
      faults={faults}
    />
  ));
}

interface ArgFieldProps {
  field: ArgumentField;
  path: string;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
  faults: PathFaults;
}

function ArgField(props: ArgFieldProps) {
  return props.field.kind.kind === "objects" ? (
    <ObjectsField {...props} fields={props.field.kind.fields} />
  ) : (
    <OneField {...props} />
  );
}

function OneField({ field, path, value, onChange, faults }: ArgFieldProps) {
  return (
    <Field
      label={<span className="mono">{formatPath(path)}</span>}
      aside={field.hint}
      hint={field.description === "" ? undefined : field.description}
      error={faults.get(path)}
      required={field.required}
    >
      {(aria) => <Control field={field} value={value} onChange={onChange} aria={aria} />}
    </Field>
  );
}

interface ControlProps {
  field: ArgumentField;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
  aria: ControlAria;
}

function Control({ field: { kind, required }, value, onChange, aria }: ControlProps) {
  const none = { value: "", label: required ? "choose" : "not given" };
  switch (kind.kind) {
    case "text":
      return (
        <TextInput
          aria={aria}
          mono
          value={typeof value === "string" ? value : ""}
          onChange={(text) => onChange(text === "" ? undefined : text)}
        />
      );
    case "number":
      return <TypedInput aria={aria} value={value} read={numberOf} onChange={onChange} numeric />;
    case "scalar":
      return <TypedInput aria={aria} value={value} read={scalarOf} onChange={onChange} />;
    case "flag":
      return (
        <Select
          aria={aria}
          value={typeof value === "boolean" ? String(value) : ""}
          options={[none, { value: "true", label: "yes" }, { value: "false", label: "no" }]}
          onChange={(chosen) => onChange(chosen === "" ? undefined : chosen === "true")}
        />
      );
    case "choice":
      return (
        <Select
          aria={aria}
          value={typeof value === "string" ? value : ""}
          options={[none, ...kind.choices.map((choice) => ({ value: choice, label: choice }))]}
          onChange={(chosen) => onChange(chosen === "" ? undefined : chosen)}
        />
      );
    case "texts":
      return (
        <TypedArea
          aria={aria}
          value={value}
          write={(known) => (Array.isArray(known) ? known.join("\n") : "")}
          read={linesOf}
          onChange={onChange}
        />
      );
    case "json":
      return (
        <TypedArea
          aria={aria}
          value={value}
          write={(known) => JSON.stringify(known, null, 2)}
          read={readJson}
          onChange={onChange}
        />
      );
    case "objects":
      return null;
  }
}

/** Text that is not JSON stays text, which the check then rejects. */
function readJson(text: string): Json | undefined {
  if (text.trim() === "") return undefined;
  try {
    return z.json().parse(JSON.parse(text));
  } catch {
    return text;
  }
}

/** Keeps the typed text while it means `value`; a different value, such as after rows moved, is formatted anew. */
function useTyped(
  value: Json | undefined,
  read: (text: string) => Json | undefined,
  write: (value: Json) => string,
): [string, (text: string) => void] {
  const [typed, setTyped] = useState("");
  const same = JSON.stringify(read(typed)) === JSON.stringify(value);
  return [same ? typed : value === undefined ? "" : write(value), setTyped];
}

interface TypedProps {
  aria: ControlAria;
  value: Json | undefined;
  read: (text: string) => Json | undefined;
  onChange: (value: Json | undefined) => void;
}

/** Keeps the text as typed ("1." on the way to "1.5") and reports its value. */
function TypedInput({ aria, value, read, onChange, numeric = false }: TypedProps & { numeric?: boolean }) {
  const [text, setText] = useTyped(value, read, String);
  const type = (typed: string) => {
    setText(typed);
    onChange(read(typed));
  };
  return (
    <TextInput aria={aria} mono inputMode={numeric ? "decimal" : undefined} value={text} onChange={type} />
  );
}

function TypedArea({ aria, value, write, read, onChange }: TypedProps & { write: (value: Json) => string }) {
  const [text, setText] = useTyped(value, read, write);
  const type = (typed: string) => {
    setText(typed);
    onChange(read(typed));
  };
  return <TextArea aria={aria} mono value={text} onChange={type} />;
}

/** A list of objects: a group of fields for each, with buttons to add and remove one. */
function ObjectsField({
  field,
  path,
  value,
  onChange,
  faults,
  fields,
}: ArgFieldProps & { fields: readonly ArgumentField[] }) {
  const id = useId();
  const entries = Array.isArray(value) ? value.map((entry) => (isObject(entry) ? entry : {})) : [];
  const fault = faults.get(path);
  const set = (changed: readonly JsonObject[]) => onChange(changed.length === 0 ? undefined : [...changed]);
  return (
    <div className={fault === undefined ? "field" : "field bad"} role="group" aria-labelledby={id}>
      <span id={id} className="label">
        <span className="mono">{formatPath(path)}</span> <span className="text-quiet">{field.hint}</span>
      </span>
      {field.description === "" ? null : <span className="hint">{field.description}</span>}
      {fault === undefined ? null : <FieldError id={`${id}-fault`}>{fault}</FieldError>}
      {entries.map((entry, index) => (
        <fieldset key={index} className="entry" aria-label={`${path}[${index}]`}>
          <ArgFields
            fields={fields}
            values={entry}
            faults={faults}
            prefix={`${path}.${index}.`}
            onChange={(changed) => set(entries.map((known, place) => (place === index ? changed : known)))}
          />
          <Button
            kind="plain"
            small
            onClick={() => set(entries.filter((_, place) => place !== index))}
            aria-label={`Remove this entry, ${path}[${index}]`}
          >
            Remove this entry
          </Button>
        </fieldset>
      ))}
      <div>
        <Button kind="plain" small className="flush" onClick={() => set([...entries, {}])}>
          Add an entry to {field.name}
        </Button>
      </div>
    </div>
  );
}
