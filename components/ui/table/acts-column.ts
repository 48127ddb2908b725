// The last column of a table: a row's buttons, on a line of their own on narrow pages.
import type { TableColumn } from "@/components/ui/table/columns";

export const actsColumn = <Row>(width: number, cell: TableColumn<Row>["cell"]): TableColumn<Row> => ({
  id: "acts",
  label: "Actions",
  labelHidden: true,
  width,
  align: "end",
  narrow: "line",
  cell,
});
