"use client";
// Keys that work on every page, and the list of them behind `?`.
import { useEffect, useRef, useState } from "react";
import { Dialog } from "@/components/ui/dialogs/dialog";
import { pages, type PageName } from "@/server/domain/console/routes";
import { useGo } from "@/components/frame/unsaved";

/** Whether a key press belongs to something that takes text or has its own keys. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.metaKey || event.ctrlKey || event.altKey) return true;
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.closest(
      "input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog], [role=menu]",
    ) !== null
  );
}

/** Calls the newest `act` when the key is pressed where no text is typed, and not as the second key of a sequence. */
export function useKey(key: string, act: () => void): void {
  const newest = useRef(act);
  useEffect(() => {
    newest.current = act;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key === key && !event.repeat && !event.defaultPrevented && !isTyping(event)) newest.current();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [key]);
}

const sequenceMs = 1200;

const listed = [
  { keys: ["⌘", "K"], words: "find a host, instance or action (Ctrl K elsewhere)" },
  { keys: ["/"], words: "filter" },
  { keys: ["j"], words: "next row" },
  { keys: ["k"], words: "row before" },
  { keys: ["x"], words: "select the row" },
  { keys: ["enter"], words: "open the row" },
  { keys: ["r"], words: "retry the failed step of the open host" },
  { keys: ["h"], words: "hold the open host before its next step" },
  { keys: ["a"], words: "add a step to a manual cleaning" },
  { keys: ["alt", "↑"], words: "move the step up in its order (alt ↓ down, del removes it)" },
  { keys: ["["], words: "hide or show the pages at the left" },
  { keys: ["?"], words: "this list" },
];

/** Listens for `g` and a page's key, `/` and `?`. */
export function Keyboard({ shown }: { shown: readonly PageName[] }) {
  const go = useGo();
  const [helpOpen, setHelpOpen] = useState(false);
  useEffect(() => {
    let goAt = 0;
    const press = (event: KeyboardEvent) => {
      if (isTyping(event)) return;
      if (event.key === "?") {
        event.preventDefault();
        setHelpOpen(true);
      } else if (event.key === "/") {
        const filter = document.querySelector<HTMLInputElement>("[data-filter]");
        if (filter === null) return;
        event.preventDefault();
        filter.focus();
        filter.select();
      } else if (event.key === "g") {
        goAt = event.timeStamp;
      } else if (goAt > 0 && event.timeStamp - goAt < sequenceMs) {
        goAt = 0;
        const name = shown.find((page) => pages[page].key === event.key);
        if (name === undefined) return;
        event.preventDefault();
        go(pages[name].href);
      }
    };
    // Before the page's own keys: `g h` goes to the hosts, and does not also hold the open host.
    addEventListener("keydown", press, true);
    return () => removeEventListener("keydown", press, true);
  }, [go, shown]);
  return (
    <Dialog open={helpOpen} onClose={() => setHelpOpen(false)} title="Keys">
      <dl className="keys">
        {shown.map((name) => (
          <KeyLine key={name} keys={["g", pages[name].key]} words={`go to ${pages[name].words}`} />
        ))}
        {listed.map((line) => (
          <KeyLine key={line.words} {...line} />
        ))}
      </dl>
    </Dialog>
  );
}

function KeyLine({ keys, words }: { keys: readonly string[]; words: string }) {
  return (
    <>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{words}</dd>
    </>
  );
}
