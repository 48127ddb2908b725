"use client";
// A draft that is not sent yet, kept in this browser tab: it survives a reload and ends with the tab.
import { useCallback, useEffect, useRef, useState } from "react";
import type { z } from "zod";
import { useMe } from "@/components/frame/me";

interface DraftOptions<Value> {
  /** What it is a draft of; each name has its own draft. */
  readonly name: string;
  readonly value: Value;
  /** The page's initial value: a draft that equals it is not a draft. */
  readonly initial: Value;
  /** A stored value that does not match is dropped. */
  readonly schema: z.ZodType<Value>;
  readonly onRestore: (value: Value) => void;
}

export interface Draft {
  /** The page shows a draft from before it was loaded. */
  readonly restored: boolean;
  /** For a draft that was sent or discarded: deletes it, and stores nothing until the value changes again. */
  readonly drop: () => void;
}

/** Reads the draft once, after the first render, because the server has none. */
export function useDraft<Value>({ name, value, initial, schema, onRestore }: DraftOptions<Value>): Draft {
  // Keyed by user, so that whoever signs in next in this tab does not see it.
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

/** Best effort: if the browser's storage is full, no draft is kept. */
function store(key: string, text: string): void {
  try {
    sessionStorage.setItem(key, text);
  } catch {
    sessionStorage.removeItem(key);
  }
}
