// A section of a settings form: its title, a description, and its fields.
import type { ReactNode } from "react";
import type { SettingSection } from "@/server/domain/sites/setting-fields";

interface SectionProps {
  readonly section: Pick<SettingSection, "title" | "summary">;
  readonly disabled: boolean;
  readonly children: ReactNode;
}

export function Section({ section: { title, summary }, disabled, children }: SectionProps) {
  return (
    <fieldset disabled={disabled}>
      <legend className="sec">
        <span className="text-strong">{title}</span> <span className="sum">{summary}</span>
      </legend>
      <div className="fields">{children}</div>
    </fieldset>
  );
}
