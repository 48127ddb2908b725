"use client";
// Highlights a value for one second after a live event changed it.
import { useEffect, useRef, type ReactNode } from "react";

/** `of` is the value to compare. The first value is never highlighted. */
export function Changed({
  of,
  className,
  children,
}: {
  of: string | number | null;
  className?: string;
  children: ReactNode;
}) {
  const element = useRef<HTMLSpanElement>(null);
  const before = useRef(of);
  useEffect(() => {
    if (before.current === of) return;
    before.current = of;
    const span = element.current;
    if (span === null) return;
    span.classList.remove("changed");
    void span.offsetWidth; // restarts the highlight if it is still fading
    span.classList.add("changed");
    const clear = () => span.classList.remove("changed");
    span.addEventListener("animationend", clear, { once: true });
    return () => span.removeEventListener("animationend", clear);
  }, [of]);
  return (
    <span ref={element} {...(className === undefined ? {} : { className })}>
      {children}
    </span>
  );
}
