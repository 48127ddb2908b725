"use client";
// The filter of the hosts page: a small query language that the server parses.
import { type KeyboardEvent, useCallback, useEffect, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { SearchField } from "@/components/ui/search-field";
import { Mark } from "@/components/ui/mark";
import {
  type Completion,
  completions,
  didYouMean,
  noStoredValues,
  type StoredValues,
} from "@/server/domain/hosts/completion/filter-completion";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";

// Suggestions below the filter: those for the word at the cursor, and the one selected by keyboard.
const freshMs = 60_000;

/** Names that a filter can use; empty before they are loaded and if they cannot be. */
function useFilterValues(): StoredValues {
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
function useCompletions({ text, values, onTake }: Suggesting) {
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

interface FilterBarProps {
  filter: string;
  /** What the server could not parse. */
  problem: string | null;
  /** The filter matches no host. */
  findsNone: boolean;
  onFilter: (filter: string) => void;
}

const settleMs = 300;

/** Applies the typed filter after a pause, or at once on Enter. */
export function FilterBar({ filter, problem, findsNone, onFilter }: FilterBarProps) {
  const [text, setText] = useState(filter);
  const [shown, setShown] = useState(filter);
  const [asked, setAsked] = useState(filter);
  const problemId = useId();
  if (shown !== filter) {
    setShown(filter);
    // Our own filter comes back a moment after it was applied. Keep what was typed since then, even if it is only a space.
    if (text.trim() === asked && asked !== filter) setText(filter);
    setAsked(filter);
  }
  const apply = useCallback(
    (next: string) => {
      setAsked(next);
      onFilter(next);
    },
    [onFilter],
  );
  const values = useFilterValues();
  const input = useRef<HTMLInputElement>(null);
  const suggesting = useCompletions({
    text,
    values,
    onTake: (completion) => {
      flushSync(() => setText(completion.filter));
      input.current?.setSelectionRange(completion.caret, completion.caret);
    },
  });
  const meant = problem !== null || findsNone ? didYouMean(filter, values) : null;
  useEffect(() => {
    // While the user is typing, a key that still lacks its value is not an error.
    if (text.trim() === filter.trim() || /[:,]$/.test(text)) return;
    const timer = setTimeout(() => apply(text.trim()), settleMs);
    return () => clearTimeout(timer);
  }, [text, filter, apply]);
  return (
    <search className="filter">
      <SearchField
        label="Filter hosts"
        value={text}
        onChange={setText}
        onSubmit={() => apply(text.trim())}
        placeholder="state:Failed cause:nvme sla:over site:a, or a name, serial, tenant"
        invalid={problem !== null}
        describedBy={problem === null ? undefined : problemId}
        inputRef={input}
        {...suggesting.field}
      />
      <Suggestions {...suggesting} />
      {problem === null ? null : (
        <p id={problemId} className="problem marked-text" data-tone="failed" role="alert">
          <Mark tone="failed" label="" />
          <span className="tone">{problem}</span>
        </p>
      )}
      {meant === null ? null : <Meant filter={meant} onTake={() => apply(meant)} />}
    </search>
  );
}

/** The filter that was probably meant. */
function Meant({ filter, onTake }: { filter: string; onTake: () => void }) {
  return (
    <p className="problem text-quiet">
      Did you mean{" "}
      <button type="button" className="copy mono" onClick={onTake}>
        {filter}
      </button>
      ?
    </p>
  );
}

/** Overlays what is below the field, so that nothing moves when suggestions appear. */
function Suggestions({
  offered,
  take,
  listId,
  optionId,
  at,
}: Pick<ReturnType<typeof useCompletions>, "offered" | "take" | "listId" | "optionId" | "at">) {
  if (offered.length === 0) return null;
  return (
    <ul id={listId} className="float suggestions" role="listbox" aria-label="Suggestions">
      {offered.map((completion, index) => (
        <li
          key={completion.words}
          id={optionId(index)}
          role="option"
          aria-selected={index === at}
          // Keep the focus in the field.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => take(completion)}
        >
          <span className="mono">{completion.words}</span>{" "}
          <span className="text-quiet">{completion.about}</span>
        </li>
      ))}
    </ul>
  );
}
