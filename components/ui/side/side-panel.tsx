"use client";
// A list, and the panel of one of its rows: beside it where both have room, otherwise in its place.
import type { ReactNode, Ref } from "react";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/table/columns";

interface ListWithPanelProps {
  /** What the list is; screen readers say it. */
  readonly label: string;
  /** The noun, for its own style sheet. */
  readonly className?: string;
  /** Null: none is open. */
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
  /** What it is about; screen readers say it. */
  readonly label: string;
  readonly title: string;
  /** The title is a name of the system. */
  readonly mono?: boolean;
  /** In few words, beside the title. */
  readonly what: ReactNode;
  /** Before the button that closes it. */
  readonly acts?: ReactNode;
  readonly className?: string;
  readonly ref?: Ref<HTMLElement>;
  /** -1: it can be given the focus. */
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
