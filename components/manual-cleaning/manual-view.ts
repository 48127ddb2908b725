// What the URL of the builder holds: for which hosts, and from which runbook. Both ways, so that a link opens the same.

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

/** The address of the builder for these hosts. */
export function manualHref({ target, runbookId }: ManualView): string {
  const search = new URLSearchParams();
  if (target.kind === "one") search.set("hosts", target.host);
  if (target.kind === "many") search.set("hosts", target.hostIds.join(","));
  if (target.kind === "filter") search.set("filter", target.filter);
  if (runbookId !== null) search.set("runbook", runbookId);
  return search.size === 0 ? "/cleaning/manual" : `/cleaning/manual?${search.toString()}`;
}
