// A page of a list that clients number, with the order of its rows.
export interface Page<Order extends string> {
  readonly pageNumber: number;
  readonly pageSize: number;
  readonly orderBy: Order;
}
