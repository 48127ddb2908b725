"use client";
// Selected hosts: some by id, or every host that the filter matches, loaded or not.
import { useCallback, useMemo, useState } from "react";
import type { BulkTarget } from "@/components/hosts/bulk/bulk-dialog";

type Chosen = { ids: ReadonlySet<string>; filter: string | null };

const none: Chosen = { ids: new Set(), filter: null };

/** `ids` are the loaded rows. A selection by filter ends when the filter changes; selected ids that left the list stay selected until cleared. */
export function useSelection(ids: readonly string[], filter: string) {
  const [chosen, setChosen] = useState<Chosen>(none);
  const byFilter = chosen.filter === filter;
  const selected = useMemo(
    () => (byFilter ? new Set(ids) : chosen.filter === null ? chosen.ids : none.ids),
    [byFilter, ids, chosen],
  );
  const toggle = useCallback(
    (id: string) => {
      const after = new Set(selected);
      if (!after.delete(id)) after.add(id);
      setChosen({ ids: after, filter: null });
    },
    [selected],
  );
  const target = useMemo(
    (): BulkTarget | undefined =>
      byFilter ? { filter } : selected.size === 0 ? undefined : { hostIds: [...selected] },
    [byFilter, filter, selected],
  );
  return {
    ids: selected,
    byFilter,
    target,
    toggle,
    toggleAll: () =>
      setChosen(ids.every((id) => selected.has(id)) ? none : { ids: new Set(ids), filter: null }),
    chooseFilter: () => setChosen({ ids: new Set(), filter }),
    clear: () => setChosen(none),
  };
}
