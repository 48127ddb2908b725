"use client";
// A button that says why it is disabled: it stays focusable, with the reason as its tooltip and description, and as text where nothing can hover.
import { useId, type ComponentProps, type MouseEvent } from "react";
import { Tip } from "@/components/ui/tip";

type Kind = "main" | "danger" | "plain" | "ordinary";

interface ButtonProps extends Omit<ComponentProps<"button">, "disabled"> {
  kind?: Kind;
  small?: boolean;
  /** Why it cannot be used now; the button is disabled while there is a reason. */
  disabledReason?: string | undefined;
  /** The act is in progress; the button waits. */
  busy?: boolean;
}

/** The label is a verb with its object. */
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
  // The same element with and without a reason: a remounted button would lose the focus.
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
        <span id={reasonId} className="why-off">
          {disabledReason}
        </span>
      )}
    </>
  );
}
