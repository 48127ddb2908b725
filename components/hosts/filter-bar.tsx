"use client";
// The filter of the hosts page: words of a small grammar, understood by the server.
import { useCallback, useEffect, useId, useState } from "react";
import { SearchField } from "@/components/ui/search-field";
import { Mark } from "@/components/ui/mark";

interface FilterBarProps {
  filter: string;
  /** What the server could not understand. */
  problem: string | null;
  onFilter: (filter: string) => void;
}

const settleMs = 300;

/** Applies what is typed when the typing rests, or at once on Enter. */
export function FilterBar({ filter, problem, onFilter }: FilterBarProps) {
  const [text, setText] = useState(filter);
  const [shown, setShown] = useState(filter);
  const [asked, setAsked] = useState(filter);
  const problemId = useId();
  if (shown !== filter) {
    setShown(filter);
    // Our own filter comes back a moment after it was asked for: what was typed in between stays, be it a space.
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
  useEffect(() => {
    if (text.trim() === filter.trim()) return;
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
      />
      {problem === null ? null : (
        <p id={problemId} className="problem marked-text" data-tone="failed" role="alert">
          <Mark tone="failed" label="" />
          <span className="tone">{problem}</span>
        </p>
      )}
    </search>
  );
}
