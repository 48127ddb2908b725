"use client";
// Which columns are shown; the URL keeps it.
import { Button } from "@/components/ui/button";
import { Menu, MenuCheck } from "@/components/ui/menu";
import { columnIds, columnLooks, type ColumnId, type ColumnLook } from "@/components/hosts/column-looks";

const lookOf = (id: ColumnId): ColumnLook => columnLooks[id];

/** Host and state are always there. */
export function ColumnsMenu({
  hidden,
  onHidden,
}: {
  hidden: ReadonlySet<ColumnId>;
  onHidden: (hidden: ReadonlySet<ColumnId>) => void;
}) {
  const show = (id: ColumnId, shown: boolean) =>
    onHidden(new Set(columnIds.filter((other) => (other === id ? !shown : hidden.has(other)))));
  return (
    <Menu trigger={<Button kind="plain">Columns</Button>}>
      {columnIds
        .filter((id) => lookOf(id).always !== true)
        .map((id) => (
          <MenuCheck key={id} checked={!hidden.has(id)} onChange={(shown) => show(id, shown)}>
            {lookOf(id).words}
          </MenuCheck>
        ))}
    </Menu>
  );
}
