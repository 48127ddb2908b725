// What the URL of the builder holds: the hosts, and the runbook it started from. A link opens the same.
import { routes } from "@/server/domain/console/routes";

export type CleanTarget =
  | { readonly kind: "none" }
  | { readonly kind: "one"; readonly host: string }
  | { readonly kind: "many"; readonly hostIds: readonly string[] }
  | { readonly kind: "filter"; readonly filter: string };

export interface ManualView {
  readonly target: CleanTarget;
  readonly runbookId: string | null;
}

/** `hosts` is one name or id, or several ids. */
export function parseManualView(search: { get: (name: string) => string | null }): ManualView {
  const hosts = (search.get("hosts") ?? "")
    .split(",")
    .map((host) => host.trim())
    .filter((host) => host !== "");
  const filter = search.get("filter");
  const [first] = hosts;
  const target: CleanTarget =
    first === undefined
      ? filter === null
        ? { kind: "none" }
        : { kind: "filter", filter }
      : hosts.length === 1
        ? { kind: "one", host: first }
        : { kind: "many", hostIds: hosts };
  return { target, runbookId: search.get("runbook") };
}

/** The URL of the builder for these hosts. */
export function manualHref({ target, runbookId }: ManualView): string {
  const runbook = runbookId ?? undefined;
  switch (target.kind) {
    case "none":
      return routes.cleaning.manual({ runbook });
    case "one":
      return routes.cleaning.manual({ hosts: [target.host], runbook });
    case "many":
      return routes.cleaning.manual({ hosts: target.hostIds, runbook });
    case "filter":
      return routes.cleaning.manual({ filter: target.filter, runbook });
  }
}
