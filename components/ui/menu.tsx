"use client";
// A menu behind a button: acts (with the reason if disabled), single choices, multiple choices.
import { DropdownMenu } from "radix-ui";
import type { ReactElement, ReactNode } from "react";

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement;
  align?: "start" | "end";
  children: ReactNode;
}

/** Its children are the parts below. It is rendered next to its button, so that screen readers find both in the same part of the page. */
export function Menu({ trigger, align = "end", children }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Content className="float" align={align} sideOffset={4} collisionPadding={8}>
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}

/** An act; with a reason it is disabled and says why. */
export function MenuAct({
  onSelect,
  disabledReason,
  children,
}: {
  onSelect: () => void;
  disabledReason?: string | undefined;
  children: ReactNode;
}) {
  return (
    <DropdownMenu.Item onSelect={onSelect} disabled={disabledReason !== undefined}>
      <span>{children}</span>
      {disabledReason === undefined ? null : <span className="why">{disabledReason}</span>}
    </DropdownMenu.Item>
  );
}

interface MenuChoiceProps<Value extends string> {
  label: string;
  value: Value;
  choices: readonly { value: Value; words: string }[];
  onChoose: (value: Value) => void;
}

/** A single choice. */
export function MenuChoice<Value extends string>({
  label,
  value,
  choices,
  onChoose,
}: MenuChoiceProps<Value>) {
  const choose = (chosen: string) => {
    const found = choices.find((choice) => choice.value === chosen);
    if (found !== undefined) onChoose(found.value);
  };
  return (
    <DropdownMenu.RadioGroup value={value} onValueChange={choose} aria-label={label}>
      {choices.map((choice) => (
        <DropdownMenu.RadioItem key={choice.value} value={choice.value}>
          <DropdownMenu.ItemIndicator className="tick" />
          <span className="words">{choice.words}</span>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}

/** A multiple choice; the menu stays open. */
export function MenuCheck({
  checked,
  onChange,
  children,
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}) {
  return (
    <DropdownMenu.CheckboxItem
      checked={checked}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
    >
      <DropdownMenu.ItemIndicator className="tick" />
      <span className="words">{children}</span>
    </DropdownMenu.CheckboxItem>
  );
}

/** A separator between groups. */
export function MenuRule() {
  return (
    <DropdownMenu.Separator asChild>
      <hr />
    </DropdownMenu.Separator>
  );
}

/** A heading above a group. */
export function MenuLabel({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="label">{children}</DropdownMenu.Label>;
}
