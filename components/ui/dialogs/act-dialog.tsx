"use client";
// A dialog for one act: states the consequence, asks for what it needs, sends it, shows why it was refused, and closes when it was accepted
// (docs/adr/0008-plain-css.md).
import { useStore, type AnyFormApi } from "@tanstack/react-form";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { z } from "zod";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Fields, reasonField, type FieldSpecs } from "@/components/ui/form/fields";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { reasonText } from "@/components/ui/form/schemas";
import { useSend } from "@/components/ui/form/use-send";

export type Client = ReturnType<typeof useTRPCClient>;
/** Nouns whose answers are read again. */
export type Stale = (trpc: ReturnType<typeof useTRPC>) => readonly { pathKey: () => readonly unknown[] }[];

interface Act<Input, Answer> {
  title: string;
  cancelWords?: string | undefined;
  /** Sends the request. If it throws, the error is shown and the dialog stays open. */
  send: (input: Input, client: Client) => Promise<Answer> | Answer;
  /** The toast after it was accepted; none for a form whose result only goes to the page. */
  said?: string | ((answer: Answer, input: Input) => string);
  onClose: () => void;
  /** Called instead of `onClose` once it was accepted. */
  onAccepted?: (() => void) | undefined;
  /** Called after every answer, because what is shown may be stale. */
  onDone?: (() => void) | undefined;
  /** What is read again after every answer: `(trpc) => [trpc.webhooks]`. */
  stale?: Stale | undefined;
  /** Set for a dangerous act: the name to type. */
  typeName?: string | undefined;
  /** The form edits something existing, so unchanged values cannot be sent. */
  edits?: boolean | undefined;
}

/** A member of the values, or one within it, such as `limits.atWork` or `ticks[0]`. */
type FieldName<Values> =
  | (keyof Values & string)
  | `${keyof Values & string}.${string}`
  | `${keyof Values & string}[${number}]`;

/** What may depend on the values that were entered so far. */
type ByValues<Values, Part> = Part | ((values: Values) => Part);

interface FormAct<Values extends object, Input, Answer> extends Act<Input, Answer> {
  /** Reads the entered values into the request's input. */
  schema: z.ZodType<Input, Values>;
  /** The values that it opens with; later ones are not taken over. */
  values: Values;
  fields:
    | FieldSpecs<FieldName<Values>>
    | ((
        values: Values,
        set: <Name extends keyof Values & string>(name: Name, value: Values[Name]) => void,
      ) => FieldSpecs<FieldName<Values>>);
  /** Shown below the fields. */
  after?: ReactNode;
  /** Called when a value has changed, for a dialog that looks something up meanwhile. */
  onValues?: (values: Values) => void;
  confirmWords: ByValues<Values, string>;
  /** What will happen, to what, and whether it can be undone. */
  consequence: ByValues<Values, ReactNode>;
  /** Why it cannot be sent, whatever was entered. */
  missing?: ByValues<Values, string | undefined>;
}

interface PlainAct<Answer> extends Act<{ reason: string }, Answer> {
  confirmWords: string;
  consequence: ReactNode;
  missing?: string | undefined;
  /** Asks for a reason; a text is the hint at its field. */
  reason?: boolean | string;
  /** Minimum length of the reason. */
  least?: number;
}

/** The `onAccepted` of a form whose result goes to the page, which closes it. */
export const pageCloses = () => undefined;

/** Confirms an act, and asks for nothing or only for a reason. Mounted anew each time it opens. */
export function ActDialog<Answer>({ reason = false, least, ...act }: PlainAct<Answer>) {
  const [schema] = useState(() => z.object({ reason: reason === false ? z.string() : reasonText(least) }));
  const hint = typeof reason === "string" ? reason : undefined;
  const fields = reason === false ? {} : { reason: reasonField(hint) };
  return <ActFormDialog {...act} schema={schema} values={{ reason: "" }} fields={fields} />;
}

/** Calls `onDone`, and reads again what is stale. */
function useDone({ stale, onDone }: Pick<Act<never, never>, "stale" | "onDone">) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () => {
    for (const noun of stale?.(trpc) ?? []) void queryClient.invalidateQueries({ queryKey: noun.pathKey() });
    onDone?.();
  };
}

/** Asks for what an act needs. Mounted anew each time it opens. */
export function ActFormDialog<Values extends object, Input, Answer>({
  schema,
  values: given,
  fields,
  confirmWords,
  consequence,
  missing,
  send: act,
  said,
  onAccepted,
  onDone,
  stale,
  onValues,
  after,
  ...shown
}: FormAct<Values, Input, Answer>) {
  const client = useTRPCClient();
  const done = useDone({ stale, onDone });
  const [defaultValues] = useState(given);
  const { send, problem } = useSend({ onAccepted: onAccepted ?? shown.onClose, onDone: done });
  const form = useAppForm({
    defaultValues,
    validators: { onChange: schema },
    listeners: { onChange: ({ formApi }) => onValues?.(formApi.state.values) },
    onSubmit: ({ value, formApi }) => {
      const input = schema.parse(value);
      return send(
        formApi,
        (answer) => (typeof said === "function" ? said(answer, input) : said),
        async () => act(input, client),
      );
    },
  });
  const values = useStore(form.store, (state) => state.values);
  const anyForm: AnyFormApi = form;
  const specs =
    typeof fields === "function"
      ? fields(values, (name, value) => anyForm.setFieldValue(name, value))
      : fields;
  return (
    <form.AppForm>
      <FormDialog
        {...shown}
        schema={schema}
        problem={problem}
        confirmWords={typeof confirmWords === "function" ? confirmWords(values) : confirmWords}
        consequence={typeof consequence === "function" ? consequence(values) : consequence}
        missing={typeof missing === "function" ? missing(values) : missing}
      >
        <Fields form={form} fields={specs} />
        {after}
      </FormDialog>
    </form.AppForm>
  );
}
