"use client";
// What a person has put together and not sent yet, kept in this tab: it survives a reload and ends with the tab.
import { useCallback, useEffect, useRef, useState } from "react";
import type { z } from "zod";
import { useMe } from "@/components/frame/me";

interface DraftOptions<Value> {
  /** Of what it is; another name is another draft. */
  readonly name: string;
  readonly value: Value;
  /** What the page began with: a draft that says the same is none. */
  readonly initial: Value;
  /** What is stored and is none of these is dropped. */
  readonly schema: z.ZodType<Value>;
  readonly onRestore: (value: Value) => void;
}

export interface Draft {
  /** The page shows what was put together before it was loaded. */
  readonly restored: boolean;
  /** It was sent, or is not wanted: nothing of it is kept, and until something changes nothing is stored again. */
  readonly drop: () => void;
}

/** Reads the draft once, after the first render: the server knows none. */
export function useDraft<Value>({ name, value, initial, schema, onRestore }: DraftOptions<Value>): Draft {
  // Whoever signs in next in this tab does not see it.
  const key = `draft ${useMe().personId} ${name}`;
  const [restored, setRestored] = useState(false);
  const newest = useRef({ schema, onRestore });
  const dropped = useRef<string>(undefined);
  useEffect(() => {
    newest.current = { schema, onRestore };
  });
  useEffect(() => {
    const found = newest.current.schema.safeParse(stored(key));
    if (found.success) {
      newest.current.onRestore(found.data);
      setRestored(true);
    }
  }, [key]);
  const text = JSON.stringify(value);
  const same = text === JSON.stringify(initial);
  useEffect(() => {
    if (dropped.current === text) return;
    dropped.current = undefined;
    if (same) sessionStorage.removeItem(key);
    else store(key, text);
  }, [key, same, text]);
  const drop = useCallback(() => {
    dropped.current = text;
    sessionStorage.removeItem(key);
    setRestored(false);
  }, [key, text]);
  return { restored, drop };
}

function stored(key: string): unknown {
  const text = sessionStorage.getItem(key);
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A browser that has no room keeps no draft; the page works without. */
function store(key: string, text: string): void {
  try {
    sessionStorage.setItem(key, text);
  } catch {
    sessionStorage.removeItem(key);
  }
}
