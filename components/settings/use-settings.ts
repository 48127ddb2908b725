"use client";
// What pages of settings read of a site: the document as it is, and who changed which setting last.
import { useSuspenseQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useMe } from "@/components/frame/me";
import { useTRPC } from "@/components/trpc/trpc";
import { reachOf } from "@/server/domain/access/access";

/** Other people's changes are no event of a host, which the live stream tells. */
const othersMs = 10_000;

/** Why this person may not change settings; undefined: may. */
export function useWhyNoSettings(): string | undefined {
  const me = useMe();
  return reachOf(me.role, "site.apply") === "any" ? undefined : "Only a provider admin can change settings";
}

/** The sites, and which one the address names; without one the first. Null: there is none. */
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
