"use client";
// Keyboard shortcuts that work on every page, and the list of them behind `?`.
import { useEffect, useMemo, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialogs/dialog";
import { useMe } from "@/components/frame/me";
import { reachOf } from "@/server/domain/access/access";
import type { PageName } from "@/server/domain/console/routes";
import { placesOf, type Place } from "@/server/domain/console/subpages";
import { useGo } from "@/components/frame/unsaved";

/** Whether a key press belongs to something that takes text or has its own keys. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.metaKey || event.ctrlKey || event.altKey || event.isComposing) return true;
  // With a dialog open, shortcuts must not act on the page behind it, wherever the focus is.
  if (document.querySelector("[role=dialog][data-state=open]") !== null) return true;
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.closest(
      "input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog], [role=menu]",
    ) !== null
  );
}

/**
 * Calls the newest `act` when the key is pressed outside a text field and not as the second key of a sequence. The press is consumed, so a field
 * that receives the focus does not receive the letter as well.
 */
export function useKey(key: string, act: () => void): void {
  const newest = useRef(act);
  useEffect(() => {
    newest.current = act;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== key || event.repeat || event.defaultPrevented || isTyping(event)) return;
      event.preventDefault();
      newest.current();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [key]);
}

/** Every page that the user may open. */
export function usePlaces(shown: readonly PageName[]): readonly Place[] {
  const { role } = useMe();
  return useMemo(() => placesOf(shown, (right) => reachOf(role, right) === "any"), [role, shown]);
}

const sequenceMs = 1200;

const listed = [
  { keys: ["⌘", "K"], words: "find a host, drive, tenant, page or action (Ctrl K elsewhere)" },
  { keys: ["/"], words: "filter" },
  { keys: ["j"], words: "next row" },
  { keys: ["k"], words: "previous row" },
  { keys: ["x"], words: "select the row" },
  { keys: ["enter"], words: "open the row" },
  { keys: ["r"], words: "retry the failed step of the open host" },
  { keys: ["h"], words: "hold the open host before its next step" },
  { keys: ["v"], words: "verify the signed file of the open return" },
  { keys: ["a"], words: "add a step to a manual cleaning" },
  { keys: ["alt", "↑"], words: "move the step up (alt ↓ down, del removes it)" },
  { keys: ["["], words: "show or hide the navigation" },
  { keys: ["?"], words: "this list" },
];

/** Handles `g` followed by a page's key, `/` and `?`. */
export function Keyboard({ shown }: { shown: readonly PageName[] }) {
  const go = useGo();
  const places = usePlaces(shown);
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
        const place = places.find(({ key }) => key === event.key);
        if (place === undefined) return;
        event.preventDefault();
        go(place.href);
      }
    };
    // In the capture phase, before the page's own keys: `g h` opens the hosts page without also holding the open host.
    addEventListener("keydown", press, true);
    return () => removeEventListener("keydown", press, true);
  }, [go, places]);
  return (
    <Dialog open={helpOpen} onClose={() => setHelpOpen(false)} title="Keyboard shortcuts">
      <dl className="keys">
        {places.map(({ href, words, key }) => (
          <KeyLine key={href} keys={["g", key]} words={`go to ${words}`} />
        ))}
        {listed.map((line) => (
          <KeyLine key={line.words} {...line} />
        ))}
      </dl>
      <div className="acts">
        <Button onClick={() => setHelpOpen(false)}>Close</Button>
      </div>
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
