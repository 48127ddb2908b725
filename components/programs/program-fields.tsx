"use client";
// What every form asks that adds a program: its name, and the site that it has to do with.
import { useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { useTRPC } from "@/components/trpc/trpc";

/** What a person types. */
export const noTexts = { name: "", site: "", more: "" };

/** Where nothing else is asked for. */
export const nothingMore = z.string();

/** @param name what the server takes as one; @param more what else a program has */
export const programFields = <More,>(name: z.ZodType<string, string>, more: z.ZodType<More, string>) => ({
  name: z.string().trim().min(1, "Enter a name").pipe(name),
  // Empty: every site.
  site: z.string().transform((site) => (site === "" ? null : site)),
  more,
});

/** What its buttons call it: the last word of "health source". */
export const shortOf = (kind: string): string => kind.slice(kind.lastIndexOf(" ") + 1);

/** The sites that there are, and all of them. */
export function useSiteOptions(): readonly { readonly value: string; readonly label: string }[] {
  const trpc = useTRPC();
  const { data: scopes } = useQuery(trpc.cleaning.scopes.queryOptions());
  return [
    { value: "", label: "every site" },
    ...(scopes?.sites ?? []).map(({ name }) => ({ value: name, label: name })),
  ];
}
