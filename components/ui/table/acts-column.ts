// The last column of a table: the buttons of a row, on a line of their own on a narrow page.
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
