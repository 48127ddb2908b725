// A column that counts: figures at the end of the row's first line on a narrow page, the highest first.
import type { TableColumn } from "@/components/ui/table/columns";

export const countColumn = <Row>(
  own: Pick<TableColumn<Row>, "id" | "label" | "width" | "sort" | "cell">,
): TableColumn<Row> => ({ ...own, align: "end", narrow: "top-end", firstOrder: "descending" });
