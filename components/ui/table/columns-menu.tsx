"use client";
// The menu that shows and hides columns.
import { Button } from "@/components/ui/button";
import { Menu, MenuCheck } from "@/components/ui/menu";
import type { ColumnLayout } from "@/components/ui/table/columns";

interface ColumnsMenuProps<Id extends string> {
  readonly ids: readonly Id[];
  readonly layoutOf: (id: Id) => ColumnLayout;
  readonly hidden: ReadonlySet<Id>;
  readonly onHidden: (hidden: ReadonlySet<Id>) => void;
}

/** Columns that cannot be hidden are not listed. */
export function ColumnsMenu<Id extends string>({ ids, layoutOf, hidden, onHidden }: ColumnsMenuProps<Id>) {
  const show = (id: Id, shown: boolean) =>
    onHidden(new Set(ids.filter((other) => (other === id ? !shown : hidden.has(other)))));
  return (
    <Menu trigger={<Button kind="plain">Columns</Button>}>
      {ids
        .filter((id) => layoutOf(id).always !== true)
        .map((id) => (
          <MenuCheck key={id} checked={!hidden.has(id)} onChange={(shown) => show(id, shown)}>
            {layoutOf(id).label}
          </MenuCheck>
        ))}
    </Menu>
  );
}
