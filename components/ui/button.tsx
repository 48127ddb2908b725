"use client";
// A button that says why it cannot be used: it stays focusable, and its reason is a tooltip and its description.
import { useId, type ComponentProps, type MouseEvent } from "react";
import { Tip } from "@/components/ui/tip";

type Kind = "main" | "danger" | "plain" | "ordinary";

interface ButtonProps extends Omit<ComponentProps<"button">, "disabled"> {
  kind?: Kind;
  small?: boolean;
  /** Why it cannot be used now; the button is off as long as there is a reason. */
  disabledReason?: string | undefined;
  /** The act is under way: the button waits. */
  busy?: boolean;
}

/** A button; its words are a verb with its object. */
export function Button({
  kind = "ordinary",
  small = false,
  disabledReason,
  busy = false,
  className,
  onClick,
  type = "button",
  children,
  ...rest
}: ButtonProps) {
  const reasonId = useId();
  const off = disabledReason !== undefined || busy;
  const classes = ["btn", kind === "ordinary" ? "" : kind, small ? "small" : "", className ?? ""]
    .filter(Boolean)
    .join(" ");
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    if (off) event.preventDefault();
    else onClick?.(event);
  };
  // With and without a reason it is the same element: one that is put anew would lose the focus.
  return (
    <>
      <Tip words={disabledReason}>
        <button
          {...rest}
          type={type}
          className={classes}
          onClick={click}
          aria-disabled={off || undefined}
          aria-busy={busy || undefined}
          {...(disabledReason === undefined ? {} : { "aria-describedby": reasonId })}
        >
          {children}
        </button>
      </Tip>
      {disabledReason === undefined ? null : (
        <span id={reasonId} className="visually-hidden">
          {disabledReason}
        </span>
      )}
    </>
  );
}
