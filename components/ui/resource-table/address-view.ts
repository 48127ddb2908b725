"use client";
// The state of a page that stands in its address: which tab, filter and row are open. Links to a page are links to its state.
import { useCallback, useEffect, useMemo, useRef } from "react";
import { useRouter, useSearchParams } from "next/navigation";
import { keepView } from "@/components/ui/resource-table/list-view";

/**
 * Reads the view from the address and writes it back. A change takes a round trip: one that comes meanwhile, such as text that settles after a row was
 * opened, adds to it and does not undo it.
 * @param parse of the address's parameters; defined outside of the component
 * @param href the address of a view; defined outside of the component
 */
export function useAddressView<Target extends object, View extends Target>(
  parse: (search: { readonly get: (name: string) => string | null }) => View,
  href: (view: Target) => string,
): [View, (change: Partial<Target>) => void] {
  const router = useRouter();
  const search = useSearchParams();
  const view = useMemo(() => parse(search), [parse, search]);
  const wanted = useRef<Target>(view);
  /** Addresses that were asked for and are not there yet, the oldest first. */
  const pending = useRef<string[]>([]);
  useEffect(() => {
    const arrived = pending.current.indexOf(search.toString());
    // An address that nobody asked for here is a link, or *Back*.
    pending.current = arrived < 0 ? [] : pending.current.slice(arrived + 1);
    if (pending.current.length === 0) wanted.current = view;
  }, [search, view]);
  const change = useCallback(
    (changed: Partial<Target>) => {
      wanted.current = { ...wanted.current, ...changed };
      const next = keepView(href(wanted.current));
      pending.current.push(new URL(next, location.origin).searchParams.toString());
      router.replace(next, { scroll: false });
    },
    [router, href],
  );
  return [view, change];
}
