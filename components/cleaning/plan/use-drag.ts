"use client";
// Moves a step of the list by dragging: it takes the place it is held over.
import { useRef, useState, type PointerEvent, type RefObject } from "react";

interface Drag {
  /** Key of the dragged step; null if none. */
  readonly dragged: number | null;
  readonly grip: (key: number) => {
    readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    readonly onPointerUp: () => void;
    readonly onPointerCancel: () => void;
  };
}

/** `list` contains the steps in order, each with a `data-key`. */
export function useDrag(
  list: RefObject<HTMLElement | null>,
  onMove: (key: number, index: number) => void,
): Drag {
  const [dragged, setDragged] = useState<number | null>(null);
  const at = useRef(-1);
  const end = () => {
    at.current = -1;
    setDragged(null);
  };
  return {
    dragged,
    grip: (key) => ({
      onPointerDown: (event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        setDragged(key);
      },
      onPointerMove: (event) => {
        if (dragged !== key || list.current === null) return;
        const others = [...list.current.querySelectorAll<HTMLElement>("[data-key]")].filter(
          (item) => item.dataset["key"] !== String(key),
        );
        const index = others.filter((item) => {
          const { top, height } = item.getBoundingClientRect();
          return event.clientY > top + height / 2;
        }).length;
        if (index === at.current) return;
        at.current = index;
        onMove(key, index);
      },
      onPointerUp: end,
      onPointerCancel: end,
    }),
  };
}
