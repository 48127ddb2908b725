"use client";
// The menu that shows and hides columns.
import { Button } from "@/components/ui/button";
import { Menu, MenuCheck } from "@/components/ui/menu";
import type { ColumnLayout } from "@/components/ui/table/columns";

interface ColumnsMenuProps {
  readonly columns: readonly (Pick<ColumnLayout, "label" | "always"> & { readonly id: string })[];
  readonly hidden: ReadonlySet<string>;
  readonly onHidden: (hidden: ReadonlySet<string>) => void;
}

/** Columns that cannot be hidden are not listed. */
export function ColumnsMenu({ columns, hidden, onHidden }: ColumnsMenuProps) {
  const show = (id: string, shown: boolean) =>
    onHidden(new Set(shown ? [...hidden].filter((other) => other !== id) : [...hidden, id]));
  return (
    <Menu trigger={<Button kind="plain">Columns</Button>}>
      {columns
        .filter(({ always }) => always !== true)
        .map(({ id, label }) => (
          <MenuCheck key={id} checked={!hidden.has(id)} onChange={(shown) => show(id, shown)}>
            {label}
          </MenuCheck>
        ))}
    </Menu>
  );
}
