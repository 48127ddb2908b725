"use client";
// The fields common to all forms that add a program: its name, and its site.
import { useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { useTRPC } from "@/components/trpc/trpc";

/** Initial texts. */
export const noTexts = { name: "", site: "", more: "" };

/** For programs without an additional field. */
export const nothingMore = z.string();

/** @param name the server's rule for names; @param more the rule of the additional field */
export const programFields = <More,>(name: z.ZodType<string, string>, more: z.ZodType<More, string>) => ({
  name: z.string().trim().min(1, "Enter a name").pipe(name),
  // Empty: all sites.
  site: z.string().transform((site) => (site === "" ? null : site)),
  more,
});

/** The short name for buttons: the last word, such as "source" of "health source". */
export const shortOf = (kind: string): string => kind.slice(kind.lastIndexOf(" ") + 1);

/** All existing sites, and "all sites". */
export function useSiteOptions(): readonly { readonly value: string; readonly label: string }[] {
  const trpc = useTRPC();
  const { data: scopes } = useQuery(trpc.cleaning.scopes.queryOptions());
  return [
    { value: "", label: "every site" },
    ...(scopes?.sites ?? []).map(({ name }) => ({ value: name, label: name })),
  ];
}
