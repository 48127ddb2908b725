"use client";
// What every form asks that adds a program: its name, and the site that it has to do with.
import { useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { useTRPC } from "@/components/trpc/trpc";

/** @param name what the server takes as one */
export const programFields = (name: z.ZodType<string, string>) => ({
  name: z.string().trim().min(1, "Enter a name").pipe(name),
  // Empty: every site.
  site: z.string().transform((site) => (site === "" ? null : site)),
});

/** The sites that there are, and all of them. */
export function useSiteOptions(): readonly { readonly value: string; readonly label: string }[] {
  const trpc = useTRPC();
  const { data: scopes } = useQuery(trpc.cleaning.scopes.queryOptions());
  return [
    { value: "", label: "every site" },
    ...(scopes?.sites ?? []).map(({ name }) => ({ value: name, label: name })),
  ];
}
