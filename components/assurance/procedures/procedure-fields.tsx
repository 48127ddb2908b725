"use client";
// The fields of a procedure: what is done, what a record needs, how long a record is valid, and when the procedure is due.
import { useSuspenseQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Fields } from "@/components/ui/form/fields";
import { withForm } from "@/components/ui/form/form-kit";
import { beginnings, namesOf, procedureSchema } from "@/components/assurance/procedures/procedure-form";
import { failureCauses } from "@/server/domain/lifecycle/states";

const answers = [
  { value: "yes", label: "is ticked" },
  { value: "text", label: "a value is written down" },
];

const formOptions = { defaultValues: beginnings.empty, validators: { onChange: procedureSchema } };

export const ProcedureFields = withForm({
  ...formOptions,
  props: { isNew: false },
  render: ({ form, isNew }) => (
    <>
      <div className="fields">
        <Fields
          form={form}
          fields={{
            name: isNew
              ? {
                  label: "Name",
                  hint: "lower-case letters, digits and hyphens, such as full-ac-drain; cannot be changed later",
                  mono: true,
                  maxLength: 63,
                }
              : null,
            title: { label: "Title", hint: "what people read", maxLength: 120 },
            reusableDays: {
              label: "Days that a record counts",
              aside: "optional",
              hint: "also counts for later reclamations of the host; empty: only for its own",
              inputMode: "numeric",
              short: true,
            },
          }}
        />
      </div>
      <Checklist form={form} />
      <fieldset>
        <legend className="sec">
          <span className="text-strong">Evidence required with a record</span>
        </legend>
        <Fields
          form={form}
          fields={{
            photo: { label: "A photo" },
            log: { label: "A log" },
            ticket: { label: "A ticket of another system" },
          }}
        />
      </fieldset>
      <When form={form} />
    </>
  ),
});

const Checklist = withForm({
  ...formOptions,
  render: ({ form }) => (
    <fieldset>
      <legend className="sec">
        <span className="text-strong">Checklist</span>
        <span className="sum cut">every point is answered in a record</span>
      </legend>
      <form.Field name="checklist" mode="array">
        {(list) => (
          <>
            {list.state.value.map((_, index) => (
              // Keyed by index, because the text changes while it is being typed.
              <div className="procedure-point" key={index}>
                <Fields
                  form={form}
                  fields={{
                    [`checklist[${index}].text`]: { label: `Point ${index + 1}`, maxLength: 200 },
                    [`checklist[${index}].answer`]: {
                      label: `Answer to point ${index + 1}`,
                      options: answers,
                    },
                  }}
                />
                <Button
                  small
                  disabledReason={
                    list.state.value.length === 1 ? "A checklist has at least one point" : undefined
                  }
                  onClick={() => list.removeValue(index)}
                  aria-label={`Remove point ${index + 1}`}
                >
                  Remove
                </Button>
              </div>
            ))}
            <p className="after">
              <Button
                small
                disabledReason={
                  list.state.value.length >= 40 ? "A checklist has at most 40 points" : undefined
                }
                onClick={() => list.pushValue({ text: "", answer: "yes" })}
              >
                Add a point
              </Button>
            </p>
          </>
        )}
      </form.Field>
    </fieldset>
  ),
});

const names = { aside: "optional", maxLength: 10_000, rows: 3 };

const When = withForm({
  ...formOptions,
  render: ({ form }) => {
    const picked = (name: "skus" | "afterFailures", text: string) => ({
      text,
      onChange: (next: string) => form.setFieldValue(name, next),
    });
    return (
      <fieldset>
        <legend className="sec">
          <span className="text-strong">When it is due</span>
          <span className="sum cut">any of these makes it due; none: never</span>
        </legend>
        <Fields
          form={form}
          fields={{
            always: { label: "In every reclamation" },
            afterRepair: { label: "After a repair tenant had the host" },
          }}
        />
        <div className="fields">
          <form.Subscribe selector={({ values }) => values}>
            {({ skus, afterFailures }) => (
              <Fields
                form={form}
                fields={{
                  skus: { ...names, label: "SKUs", hint: <KnownSkus {...picked("skus", skus)} /> },
                  tenants: { ...names, label: "Tenants", hint: "their organisations, one per line" },
                  afterFailures: {
                    ...names,
                    label: "After failures",
                    hint: (
                      <Known
                        words="Causes"
                        known={failureCauses}
                        {...picked("afterFailures", afterFailures)}
                      />
                    ),
                  },
                }}
              />
            )}
          </form.Subscribe>
        </div>
      </fieldset>
    );
  },
});

interface PickProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
}

function KnownSkus(props: PickProps) {
  const trpc = useTRPC();
  const { data } = useSuspenseQuery(trpc.cleaning.scopes.queryOptions());
  return <Known words="SKUs" known={data.skus.map(({ name }) => name)} {...props} />;
}

const maxShown = 8;

/** Completions to add by click, for the name being typed. */
function Known({
  words,
  known,
  text,
  onChange,
}: PickProps & { readonly words: string; readonly known: readonly string[] }) {
  const chosen = namesOf(text);
  const last = (text.split(/[\n,]/).at(-1) ?? "").trim();
  const isTyping = last !== "" && !known.includes(last);
  const fitting = known.filter(
    (name) => !chosen.includes(name) && (!isTyping || name.toLowerCase().includes(last.toLowerCase())),
  );
  const kept = isTyping ? chosen.filter((name) => name !== last) : chosen;
  return (
    <>
      one per line{fitting.length === 0 ? "" : `. ${words}: `}
      {fitting.slice(0, maxShown).map((name) => (
        <Fragment key={name}>
          {" "}
          <button
            type="button"
            className="copy mono text-small"
            aria-label={`Add ${name}`}
            onClick={() => onChange([...kept, name].join("\n"))}
          >
            {name}
          </button>
        </Fragment>
      ))}
      {fitting.length > maxShown ? "…" : ""}
    </>
  );
}
