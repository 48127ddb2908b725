"use client";
// Suggestions below the filter: those for the word at the cursor, and the one selected by keyboard.
import { useQuery } from "@tanstack/react-query";
import { useId, useState, type KeyboardEvent } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import {
  completions,
  noStoredValues,
  type Completion,
  type StoredValues,
} from "@/server/domain/hosts/completion/filter-completion";

const freshMs = 60_000;

/** Names that a filter can use; empty before they are loaded and if they cannot be. */
export function useFilterValues(): StoredValues {
  const trpc = useTRPC();
  const { data } = useQuery({ ...trpc.hosts.filterValues.queryOptions(), staleTime: freshMs });
  return data ?? noStoredValues;
}

interface Suggesting {
  readonly text: string;
  readonly values: StoredValues;
  /** Called with the chosen suggestion: the whole filter, and the new cursor position. */
  readonly onTake: (completion: Completion) => void;
}

/** Open while the cursor is in the field, until Escape closes it. */
export function useCompletions({ text, values, onTake }: Suggesting) {
  const listId = useId();
  const [open, setOpen] = useState(false);
  const [caret, setCaret] = useState(0);
  const [at, setAt] = useState(-1);
  const offered = open ? completions(text, Math.min(caret, text.length), values) : [];
  const active = offered[at];
  const take = (completion: Completion) => {
    setAt(-1);
    setCaret(completion.caret);
    onTake(completion);
  };
  const onKey = (event: KeyboardEvent<HTMLInputElement>): boolean => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && offered.length > 0) {
      event.preventDefault();
      setAt((at + step + offered.length + (at < 0 && step < 0 ? 1 : 0)) % offered.length);
      return true;
    }
    if ((event.key === "Enter" || event.key === "Tab") && active !== undefined) {
      event.preventDefault();
      take(active);
      return true;
    }
    if (event.key === "Escape" && offered.length > 0) {
      setOpen(false);
      return true;
    }
    return false;
  };
  return {
    offered,
    take,
    listId,
    optionId: (index: number) => `${listId}-${index}`,
    at,
    field: {
      onKey,
      onCaret: (next: number) => {
        setCaret(next);
        setAt(-1);
        setOpen(true);
      },
      onFocus: () => setOpen(true),
      onBlur: () => setOpen(false),
      suggestions:
        offered.length === 0
          ? undefined
          : { listId, activeId: active === undefined ? undefined : `${listId}-${at}` },
    },
  };
}
