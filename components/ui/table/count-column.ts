// A column of counts: sorted highest first, and at the end of the row's first line on narrow pages.
import type { TableColumn } from "@/components/ui/table/columns";

export const countColumn = <Row>(
  own: Pick<TableColumn<Row>, "id" | "label" | "width" | "sort" | "cell">,
): TableColumn<Row> => ({ ...own, align: "end", narrow: "top-end", firstOrder: "descending" });
