"use client";
// Fields for a step's arguments, made from their schemas; each with what is wrong with it.
import { useId, useState, type ReactNode } from "react";
import { z } from "zod";
import { Button } from "@/components/ui/button";
import { Mark } from "@/components/ui/mark";
import {
  isObject,
  linesOf,
  numberOf,
  pathWords,
  scalarOf,
  withMember,
  type Field,
  type Json,
  type JsonObject,
} from "@/components/plans/schema-field";

/** What is wrong, by path such as `settings.0.checksum`. */
export type PathFaults = ReadonlyMap<string, string>;

interface ArgFieldsProps {
  fields: readonly Field[];
  values: JsonObject;
  onChange: (values: JsonObject) => void;
  faults: PathFaults;
  /** Of the object that they are members of: `settings.0.`. */
  prefix?: string;
}

/** One field per argument, in the order of their declaration. */
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
  field: Field;
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

/** The words over a field and under it. */
function OneField({ field, path, value, onChange, faults }: ArgFieldProps) {
  const id = useId();
  const fault = faults.get(path);
  const described = [
    field.description === "" ? null : `${id}-hint`,
    fault === undefined ? null : `${id}-fault`,
  ]
    .filter((part) => part !== null)
    .join(" ");
  const common = {
    id,
    "aria-invalid": fault === undefined ? undefined : true,
    "aria-required": field.required || undefined,
    "aria-describedby": described === "" ? undefined : described,
  } as const;
  return (
    <div className={fault === undefined ? "field" : "field bad"}>
      <label htmlFor={id}>
        <span className="mono">{pathWords(path)}</span> <span className="text-quiet">{field.hint}</span>
      </label>
      <Control field={field} value={value} onChange={onChange} common={common} />
      {field.description === "" ? null : (
        <span id={`${id}-hint`} className="hint">
          {field.description}
        </span>
      )}
      {fault === undefined ? null : <Fault id={`${id}-fault`}>{fault}</Fault>}
    </div>
  );
}

function Fault({ id, children }: { id: string; children: ReactNode }) {
  return (
    <span id={id} className="err">
      <Mark tone="failed" label="" />
      <span>{children}</span>
    </span>
  );
}

interface ControlProps {
  field: Field;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
  common: {
    id: string;
    "aria-invalid": true | undefined;
    "aria-required": true | undefined;
    "aria-describedby": string | undefined;
  };
}

function Control({ field: { kind, required }, value, onChange, common }: ControlProps) {
  switch (kind.kind) {
    case "text":
      return (
        <TextInput
          common={common}
          text={typeof value === "string" ? value : ""}
          onText={(text) => onChange(text === "" ? undefined : text)}
        />
      );
    case "number":
      return <TypedInput common={common} value={value} read={numberOf} onChange={onChange} numeric />;
    case "scalar":
      return <TypedInput common={common} value={value} read={scalarOf} onChange={onChange} />;
    case "flag":
      return (
        <Select
          common={common}
          value={typeof value === "boolean" ? String(value) : ""}
          choices={[
            { value: "true", words: "yes" },
            { value: "false", words: "no" },
          ]}
          none={required ? "choose" : "not given"}
          onChoose={(chosen) => onChange(chosen === "" ? undefined : chosen === "true")}
        />
      );
    case "choice":
      return (
        <Select
          common={common}
          value={typeof value === "string" ? value : ""}
          choices={kind.choices.map((choice) => ({ value: choice, words: choice }))}
          none={required ? "choose" : "not given"}
          onChoose={(chosen) => onChange(chosen === "" ? undefined : chosen)}
        />
      );
    case "texts":
      return (
        <TypedArea
          common={common}
          value={value}
          write={(known) => (Array.isArray(known) ? known.join("\n") : "")}
          read={linesOf}
          onChange={onChange}
        />
      );
    case "json":
      return (
        <TypedArea
          common={common}
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

/** What is no JSON stays a text, which the check then refuses. */
function readJson(text: string): Json | undefined {
  if (text.trim() === "") return undefined;
  try {
    return z.json().parse(JSON.parse(text));
  } catch {
    return text;
  }
}

function TextInput({
  common,
  text,
  onText,
  numeric = false,
}: {
  common: ControlProps["common"];
  text: string;
  onText: (text: string) => void;
  numeric?: boolean;
}) {
  return (
    <div className="input">
      <input
        {...common}
        className="mono"
        value={text}
        inputMode={numeric ? "decimal" : undefined}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onText(event.target.value)}
      />
    </div>
  );
}

/** What was typed, as long as it means the value; another value, as of a row that moved up, is written out. */
function useTyped(
  value: Json | undefined,
  read: (text: string) => Json | undefined,
  write: (value: Json) => string,
): [string, (text: string) => void] {
  const [typed, setTyped] = useState("");
  const same = JSON.stringify(read(typed)) === JSON.stringify(value);
  return [same ? typed : value === undefined ? "" : write(value), setTyped];
}

/** Keeps what is typed as it is typed ("1." on the way to "1.5"), and gives on what it means. */
function TypedInput({
  common,
  value,
  read,
  onChange,
  numeric = false,
}: {
  common: ControlProps["common"];
  value: Json | undefined;
  read: (text: string) => Json | undefined;
  onChange: (value: Json | undefined) => void;
  numeric?: boolean;
}) {
  const [text, setText] = useTyped(value, read, String);
  const type = (typed: string) => {
    setText(typed);
    onChange(read(typed));
  };
  return <TextInput common={common} text={text} onText={type} numeric={numeric} />;
}

function TypedArea({
  common,
  value,
  write,
  read,
  onChange,
}: {
  common: ControlProps["common"];
  value: Json | undefined;
  write: (value: Json) => string;
  read: (text: string) => Json | undefined;
  onChange: (value: Json | undefined) => void;
}) {
  const [text, setText] = useTyped(value, read, write);
  return (
    <textarea
      {...common}
      className="mono"
      value={text}
      spellCheck={false}
      onChange={(event) => {
        setText(event.target.value);
        onChange(read(event.target.value));
      }}
    />
  );
}

function Select({
  common,
  value,
  choices,
  none,
  onChoose,
}: {
  common: ControlProps["common"];
  value: string;
  choices: readonly { value: string; words: string }[];
  none: string;
  onChoose: (value: string) => void;
}) {
  return (
    <div className="input">
      <select {...common} value={value} onChange={(event) => onChoose(event.target.value)}>
        <option value="">{none}</option>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.words}
          </option>
        ))}
      </select>
    </div>
  );
}

/** A list of objects: a group of fields for each, one more, one less. */
function ObjectsField({
  field,
  path,
  value,
  onChange,
  faults,
  fields,
}: ArgFieldProps & { fields: readonly Field[] }) {
  const id = useId();
  const entries = Array.isArray(value) ? value.map((entry) => (isObject(entry) ? entry : {})) : [];
  const fault = faults.get(path);
  const set = (changed: readonly JsonObject[]) => onChange(changed.length === 0 ? undefined : [...changed]);
  return (
    <div className={fault === undefined ? "field" : "field bad"} role="group" aria-labelledby={id}>
      <span id={id} className="label">
        <span className="mono">{pathWords(path)}</span> <span className="text-quiet">{field.hint}</span>
      </span>
      {field.description === "" ? null : <span className="hint">{field.description}</span>}
      {fault === undefined ? null : <Fault id={`${id}-fault`}>{fault}</Fault>}
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
