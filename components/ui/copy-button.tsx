"use client";
// Copies a text and confirms it.
import { useEffect, useState } from "react";

/** A small "Copy" beside an id. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [state, setState] = useState<"idle" | "copied" | "refused">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), 1500);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setState("copied"),
      () => setState("refused"),
    );
  };
  return (
    <button type="button" className="copy" onClick={copy} aria-label={`Copy ${what}`}>
      <span aria-live="polite">
        {state === "idle" ? "Copy" : state === "copied" ? "Copied" : "Not allowed here"}
      </span>
    </button>
  );
}
