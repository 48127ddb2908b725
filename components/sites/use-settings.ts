"use client";
// Queries for the settings pages: a site's document, and the last change of each setting.
import { useSuspenseQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useMe } from "@/components/frame/me";
import { useTRPC } from "@/components/trpc/trpc";
import { reachOf } from "@/server/domain/access/access";

/** Polled: the live stream carries host events only, not other people's changes to settings. */
const othersMs = 10_000;

/** Why this user may not change settings; undefined if they may. */
export function useWhyNoSettings(): string | undefined {
  const me = useMe();
  return reachOf(me.role, "site.apply") === "any" ? undefined : "Only a provider admin can change settings";
}

/** The sites, and the one named in the URL, or else the first. Null if there is none. */
export function useChosenSite() {
  const trpc = useTRPC();
  const wanted = useSearchParams().get("site");
  const { data } = useSuspenseQuery(trpc.cleaning.scopes.queryOptions());
  const chosen = data.sites.find(({ name }) => name === wanted) ?? data.sites[0] ?? null;
  return { sites: data.sites, chosen };
}

export type SiteOfSettings = ReturnType<typeof useChosenSite>["sites"][number];

export function useSiteSettings(site: string) {
  const trpc = useTRPC();
  const { data: view } = useSuspenseQuery({
    ...trpc.site.get.queryOptions({ site }),
    refetchInterval: othersMs,
  });
  const { data: changes } = useSuspenseQuery(trpc.site.lastChanges.queryOptions({ site }));
  return { view, changes };
}
