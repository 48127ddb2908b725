"use client";
// Adds an external program: its name, its site and what else its kind needs. Its token is passed to the caller, which shows it once.
import { useQuery } from "@tanstack/react-query";
import { z } from "zod";
import {
  shortOf,
  type AddDialogProps,
  type NewToken,
} from "@/components/repair/external-systems/external-systems-page";
import { useTRPC } from "@/components/trpc/trpc";
import { ActFormDialog, type Client } from "@/components/ui/dialogs/act-dialog";
import type { FieldSpec } from "@/components/ui/form/fields";

/** Initial texts. */
const noTexts = { name: "", site: "", more: "" };

/** For programs without an additional field. */
export const nothingMore = z.string();

/** @param name the server's rule for names; @param more the rule of the additional field */
export const programFields = <More,>(name: z.ZodType<string, string>, more: z.ZodType<More, string>) => ({
  name: z.string().trim().min(1, "Enter a name").pipe(name),
  // Empty: all sites.
  site: z.string().transform((site) => (site === "" ? null : site)),
  more,
});

interface AddProgramProps<Input extends { readonly name: string }> extends AddDialogProps {
  /** Such as "health source". */
  readonly kind: string;
  readonly consequence: string;
  readonly schema: z.ZodType<Input, typeof noTexts>;
  /** An additional number to ask for. */
  readonly more?: FieldSpec;
  readonly send: (input: Input, client: Client) => Promise<NewToken>;
}

export function AddProgramDialog<Input extends { readonly name: string }>({
  kind,
  more,
  send,
  onAdded,
  ...rest
}: AddProgramProps<Input>) {
  const { data: scopes } = useQuery(useTRPC().cleaning.scopes.queryOptions());
  const sites = (scopes?.sites ?? []).map(({ name }) => ({ value: name, label: name }));
  return (
    <ActFormDialog
      title={`Add a ${kind}`}
      confirmWords={`Add ${shortOf(kind)}`}
      values={noTexts}
      fields={{
        name: { label: "Name", mono: true },
        site: { label: "Site", options: [{ value: "", label: "every site" }, ...sites] },
        more: more === undefined ? null : { ...more, inputMode: "numeric", short: true },
      }}
      send={async (input, client) => onAdded(await send(input, client))}
      said={(_, { name }) => `The ${kind} ${name} is added.`}
      {...rest}
    />
  );
}
