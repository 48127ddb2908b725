"use client";
// The menu of a list's views: open, save and delete them, and look for a list of names.
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useState } from "react";
import { z } from "zod";
import { useMe } from "@/components/frame/me";
import { Button } from "@/components/ui/button";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { formatCount } from "@/server/domain/numbers";
import { Menu, MenuAct, MenuRule } from "@/components/ui/menu";
import { parseNames } from "@/components/ui/resource-table/filter";
import {
  emptyView,
  opened,
  saved,
  useSavedViews,
  type ListView,
} from "@/components/ui/resource-table/list-view";
import { useSay } from "@/components/ui/toast";

interface ViewsMenuProps {
  /** The list that the views are of. */
  readonly list: string;
  readonly view: ListView;
  readonly onView: (view: ListView) => void;
  /** The parameters of the page's own filter in its address, which a view holds as well. */
  readonly parameters: readonly string[];
  /** Undefined if the list's rows have no names. */
  readonly onNames: (() => void) | undefined;
}

/** The page's own filter, as in its address. */
function usePageFilter(parameters: readonly string[]): [string, (page: string) => void] {
  const router = useRouter();
  const path = usePathname();
  const search = useSearchParams();
  const only = new URLSearchParams([...search].filter(([name]) => parameters.includes(name)));
  const page = only.toString();
  return [
    page,
    (next) => {
      if (next !== page) router.replace(next === "" ? path : `${path}?${next}`, { scroll: false });
    },
  ];
}

export function ViewsMenu({ list, view, onView, parameters, onNames }: ViewsMenuProps) {
  const { personId } = useMe();
  const say = useSay();
  const [views, setViews] = useSavedViews(personId, list);
  const [saves, setSaves] = useState(false);
  const [page, setPage] = usePageFilter(parameters);
  const current = saved("", view, page);
  const shown = views.find(
    (own) => JSON.stringify({ ...saved("", opened(own), own.page) }) === JSON.stringify(current),
  );
  const open = (next: ListView, nextPage: string) => {
    setPage(nextPage);
    onView(next);
  };
  const without = (name: string) => views.filter((own) => own.name !== name);
  return (
    <>
      <Menu trigger={<Button kind="plain">Views</Button>}>
        {onNames === undefined ? null : <MenuAct onSelect={onNames}>Find a list of names…</MenuAct>}
        <MenuAct onSelect={() => open(emptyView, "")}>Show everything</MenuAct>
        <MenuRule />
        {views.map((own) => (
          <MenuAct key={own.name} onSelect={() => open(opened(own), own.page)}>
            {own.name}
          </MenuAct>
        ))}
        <MenuAct onSelect={() => setSaves(true)}>Save this view…</MenuAct>
        {shown === undefined ? null : (
          <MenuAct
            onSelect={() => {
              setViews(without(shown.name));
              say(`View ${shown.name} deleted`);
            }}
          >
            Delete {shown.name}
          </MenuAct>
        )}
      </Menu>
      {saves ? (
        <ActFormDialog
          title="Save this view"
          consequence="Saves the filter, order, columns and pasted names in this browser. A view of the same name is replaced. To share a view, send its address."
          confirmWords="Save view"
          schema={nameSchema}
          values={{ name: "" }}
          fields={{ name: { label: "Name" } }}
          send={({ name }) => setViews([...without(name), saved(name, view, page)])}
          said={(_, { name }) => `View ${name} saved`}
          onClose={() => setSaves(false)}
        />
      ) : null}
    </>
  );
}

const nameSchema = z.object({
  name: z.string().trim().min(1, "Enter a name").max(64, "At most 64 characters"),
});

/** As many names as a list can be searched for at once. */
const mostNames = 20_000;
const namesSchema = z.object({
  names: z
    .string()
    .refine((text) => parseNames(text).length > 0, "Enter at least one name")
    .refine((text) => parseNames(text).length <= mostNames, `At most ${formatCount(mostNames)} names`),
});

interface NamesDialogProps {
  /** What the list has, in the plural. */
  readonly many: string;
  readonly onNames: (names: readonly string[]) => void;
  readonly onClose: () => void;
}

/** Takes a list of names, as from a ticket or a spreadsheet. */
export const NamesDialog = ({ many, onNames, onClose }: NamesDialogProps) => (
  <ActFormDialog
    title="Find a list of names"
    consequence={`Shows only the ${many} with these names, and says which names were not found.`}
    confirmWords={`Find ${many}`}
    schema={namesSchema}
    values={{ names: "" }}
    fields={{
      names: {
        label: "Names",
        hint: "separated by spaces, commas or lines",
        maxLength: 400_000,
        rows: 8,
        mono: true,
      },
    }}
    send={({ names }) => onNames(parseNames(names))}
    onClose={onClose}
  />
);
