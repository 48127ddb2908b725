// What the URL of the catalogue holds: of what it is. Both ways.
import type { CleaningScopes } from "@/server/surfaces/trpc/types";

export type StepsView =
  | { readonly kind: "site"; readonly siteId: string }
  | { readonly kind: "sku"; readonly skuId: string; readonly siteId?: string }
  | { readonly kind: "host"; readonly host: string }
  | { readonly kind: "hardwareType"; readonly hardwareType: string; readonly siteId?: string };

/** What is not said is the first site; null where there is not even one. */
export function parseStepsView(
  search: { get: (name: string) => string | null },
  { sites }: Pick<CleaningScopes, "sites">,
): StepsView | null {
  const host = search.get("host");
  if (host !== null && host !== "") return { kind: "host", host };
  const siteId = search.get("site");
  const site = siteId === null ? {} : { siteId };
  const skuId = search.get("sku");
  if (skuId !== null) return { kind: "sku", skuId, ...site };
  const hardwareType = search.get("hardware");
  if (hardwareType !== null) return { kind: "hardwareType", hardwareType, ...site };
  const chosen = siteId ?? sites[0]?.id;
  return chosen === undefined ? null : { kind: "site", siteId: chosen };
}

export function stepsHref(view: StepsView): string {
  const search = new URLSearchParams();
  if (view.kind === "host") search.set("host", view.host);
  if (view.kind === "sku") search.set("sku", view.skuId);
  if (view.kind === "hardwareType") search.set("hardware", view.hardwareType);
  if (view.kind !== "host" && view.siteId !== undefined) search.set("site", view.siteId);
  return `/cleaning?${search.toString()}`;
}
