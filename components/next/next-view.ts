// What the URL of the page *Next* holds: the site, whose groups are listed, and the group open in the panel.
import { routes } from "@/server/domain/console/routes";
import type { NextLine } from "@/server/surfaces/trpc/types";

export const nextOwners = ["mine", "nobody"] as const;
export type NextOwners = (typeof nextOwners)[number];

export interface NextView {
  readonly site: string | null;
  /** Null: everybody's. */
  readonly owner: NextOwners | null;
  /** Key of a group. */
  readonly open: string | null;
}

export const parseNextView = (search: { readonly get: (name: string) => string | null }): NextView => ({
  site: search.get("site"),
  owner: nextOwners.find((owner) => owner === search.get("owner")) ?? null,
  open: search.get("open"),
});

export const nextHref = ({ site, owner, open }: NextView): string =>
  routes.next({ site: site ?? undefined, owner: owner ?? undefined, open: open ?? undefined });

/** The input of the list, shared by the server's prefetch and the browser. */
export const nextQuery = ({ site }: Pick<NextView, "site">) => (site === null ? {} : { site });

/** The groups that the view lists. @param personId who looks */
export const ownedBy = (
  lines: readonly NextLine[],
  owner: NextView["owner"],
  personId: string,
): readonly NextLine[] =>
  lines.filter(({ ownerId }) =>
    owner === "mine" ? ownerId === personId : owner === "nobody" ? ownerId === null : true,
  );
