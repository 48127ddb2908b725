"use client";
// What is shown of a list: filter, order, hidden columns (in the page's address) and a pasted list of names; and the views that a person saved.
import { usePathname, useSearchParams } from "next/navigation";
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { z } from "zod";
import type { Sorting } from "@/components/ui/table/columns";

export interface ListView {
  readonly filter: string;
  /** Null: in the order in which the server gives the list. */
  readonly sorting: Sorting | null;
  readonly hidden: ReadonlySet<string>;
  /** Only rows with one of these names; null: all. A list of thousands does not fit into an address. */
  readonly names: readonly string[] | null;
}

/** A saved host view and its address use the same names. */
const parameters = ["q", "sort", "hide"] as const;
type Stored = Readonly<Record<(typeof parameters)[number], string | null>>;

const sortingText = (sorting: Sorting | null): string =>
  sorting === null ? "" : `${sorting.descending ? "-" : ""}${sorting.id}`;

const orNull = (text: string) => (text === "" ? null : text);

const store = ({ filter, sorting, hidden }: ListView): Stored => ({
  q: orNull(filter.trim()),
  sort: orNull(sortingText(sorting)),
  hide: orNull([...hidden].join(",")),
});

function restore({ q, sort, hide }: Stored): Omit<ListView, "names"> {
  const id = (sort ?? "").replace(/^-/, "");
  return {
    filter: q ?? "",
    sorting: id === "" ? null : { id, descending: sort?.startsWith("-") === true },
    hidden: new Set((hide ?? "").split(",").filter((column) => column !== "")),
  };
}

export const emptyView: ListView = { filter: "", sorting: null, hidden: new Set(), names: null };

const writeAfterMs = 300;

export type HeldView = readonly [view: ListView, change: (change: Partial<ListView>) => void];

/** The view in the address, and a function that changes it. @param prefix tells the lists of one page apart @param isHeld false: does nothing */
export function useListView(prefix = "", isHeld = true): HeldView {
  const search = useSearchParams();
  const path = usePathname();
  const nameOf = useCallback(
    (parameter: string) => (prefix === "" ? parameter : `${prefix}.${parameter}`),
    [prefix],
  );
  const inAddress = JSON.stringify(parameters.map((parameter) => search.get(nameOf(parameter))));
  const read = (): ListView => ({
    ...restore({
      q: search.get(nameOf("q")),
      sort: search.get(nameOf("sort")),
      hide: search.get(nameOf("hide")),
    }),
    names: null,
  });
  const [seen, setSeen] = useState(inAddress);
  const [written, setWritten] = useState(inAddress);
  const [view, setView] = useState(read);
  if (seen !== inAddress) {
    setSeen(inAddress);
    // Our own change comes back a moment after it was written; what was typed since then stays.
    if (inAddress !== written) {
      setWritten(inAddress);
      setView({ ...read(), names: view.names });
    }
  }
  useEffect(() => {
    if (!isHeld) return;
    const stored = store(view);
    const timer = setTimeout(() => {
      setWritten(JSON.stringify(parameters.map((parameter) => stored[parameter])));
      const next = new URLSearchParams(location.search);
      for (const parameter of parameters) {
        const value = stored[parameter];
        if (value === null) next.delete(nameOf(parameter));
        else next.set(nameOf(parameter), value);
      }
      const query = next.size === 0 ? "" : `?${next.toString()}`;
      if (location.pathname === path && query !== location.search)
        history.replaceState(null, "", `${path}${query}${location.hash}`);
    }, writeAfterMs);
    return () => clearTimeout(timer);
  }, [view, nameOf, path, isHeld]);
  const change = useCallback(
    (changed: Partial<ListView>) => setView((before) => ({ ...before, ...changed })),
    [],
  );
  return [view, change];
}

/** An address; if it is of the same page, it keeps the view of the list. */
export function keepView(href: string): string {
  const next = new URL(href, location.origin);
  if (next.pathname !== location.pathname) return href;
  for (const [name, value] of new URLSearchParams(location.search))
    if (parameters.some((parameter) => name === parameter || name.endsWith(`.${parameter}`)))
      next.searchParams.set(name, value);
  return `${next.pathname}${next.search}`;
}

/** A text once typing has settled, for a read of the server, which takes 200 characters. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text.trim().slice(0, 200)), writeAfterMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

const savedView = z.object({
  name: z.string(),
  q: z.string().nullable(),
  sort: z.string().nullable(),
  hide: z.string().nullable(),
  names: z.array(z.string()).nullable(),
  /** The filter of the page around the list, as in its address. */
  page: z.string().default(""),
});
export type SavedListView = Readonly<z.infer<typeof savedView>>;

export const saved = (name: string, view: ListView, page: string): SavedListView => ({
  ...{ name, page, ...store(view) },
  names: view.names === null ? null : [...view.names],
});
export const opened = (view: SavedListView): ListView => ({ ...restore(view), names: view.names });

const changes = new EventTarget();
const listen = (onChange: () => void) => {
  changes.addEventListener("change", onChange);
  addEventListener("storage", onChange);
  return () => {
    changes.removeEventListener("change", onChange);
    removeEventListener("storage", onChange);
  };
};

function parseSaved(text: string | null): readonly SavedListView[] {
  try {
    return z.array(savedView).parse(JSON.parse(text ?? "[]"));
  } catch {
    // Written by another release: those views are gone, the list works.
    return [];
  }
}

/** The views that a person saved of a list. They are kept in this browser. */
export function useSavedViews(
  personId: string,
  list: string,
): [readonly SavedListView[], (views: readonly SavedListView[]) => void] {
  const key = `reclaim.views.${personId}.${list}`;
  const text = useSyncExternalStore(
    listen,
    () => localStorage.getItem(key),
    () => null,
  );
  const views = useMemo(() => parseSaved(text), [text]);
  const write = useCallback(
    (next: readonly SavedListView[]) => {
      localStorage.setItem(key, JSON.stringify(next));
      changes.dispatchEvent(new Event("change"));
    },
    [key],
  );
  return [views, write];
}
