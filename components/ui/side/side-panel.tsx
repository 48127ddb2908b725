"use client";
// A list and the panel of one of its rows: side by side if both fit, otherwise the panel replaces the list.
import type { ReactNode, Ref } from "react";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/table/columns";

interface ListWithPanelProps {
  /** The list's name for screen readers. */
  readonly label: string;
  /** A class for the list's own style sheet. */
  readonly className?: string;
  /** Null: closed. */
  readonly panel: ReactNode;
  readonly children: ReactNode;
}

export const ListWithPanel = ({ label, className, panel, children }: ListWithPanelProps) => (
  <div className={classNames("list-with-panel", className, panel !== null && "open")}>
    <section aria-label={label}>{children}</section>
    {panel}
  </div>
);

interface SidePanelProps {
  /** The panel's name for screen readers. */
  readonly label: string;
  readonly title: string;
  /** The title is an identifier, shown monospaced. */
  readonly mono?: boolean;
  /** A short description beside the title. */
  readonly what: ReactNode;
  /** Shown before the close button. */
  readonly acts?: ReactNode;
  readonly className?: string;
  readonly ref?: Ref<HTMLElement>;
  /** -1: focusable from code. */
  readonly tabIndex?: -1;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export const SidePanel = ({
  label,
  title,
  mono = false,
  what,
  acts,
  className,
  ref,
  tabIndex,
  onClose,
  children,
}: SidePanelProps) => (
  <aside ref={ref} tabIndex={tabIndex} className={classNames("side-panel", className)} aria-label={label}>
    <div className="head">
      <h2 className={mono ? "mono" : undefined}>{title}</h2>
      <span className="what">{what}</span>
      <div className="acts">
        {acts}
        <Button small kind="plain" onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
    {children}
  </aside>
);
