// The list of steps being built: the operations behind keys, pointer and forms. Pure.
import type { ManualStep } from "@/server/domain/cleaning/plan/manual";
import type { JsonObject } from "@/components/cleaning/plan/schema-field";

export interface OrderItem {
  /** Stays with the step when it moves; unique within the list. */
  readonly key: number;
  readonly interface: string;
  readonly step: string;
  readonly args: JsonObject;
}

/** `interface.step` */
export const itemName = ({ interface: name, step }: Pick<OrderItem, "interface" | "step">): string =>
  `${name}.${step}`;

export interface Order {
  readonly items: readonly OrderItem[];
  /** Key of the step whose form is open; null if none. */
  readonly selected: number | null;
  readonly nextKey: number;
}

export const emptyOrder: Order = { items: [], selected: null, nextKey: 1 };

/** A list from existing steps, such as a runbook's; the first is selected. */
export function orderOf(steps: readonly ManualStep[]): Order {
  const items = steps.map((step, index) => ({
    key: index + 1,
    interface: step.interface,
    step: step.step,
    args: step.args,
  }));
  return { items, selected: items[0]?.key ?? null, nextKey: items.length + 1 };
}

/** The steps as the request carries them, without page-only fields. */
export const stepsOf = ({ items }: Pick<Order, "items">): ManualStep[] =>
  items.map(({ interface: name, step, args }) => ({ interface: name, step, args }));

/** Appends the step and opens its form. */
export function added(order: Order, step: { readonly interface: string; readonly step: string }): Order {
  const item = { key: order.nextKey, interface: step.interface, step: step.step, args: {} };
  return { items: [...order.items, item], selected: item.key, nextKey: order.nextKey + 1 };
}

/** Removes a step; the one that takes its place is selected, or else the last. */
export function removed(order: Order, key: number): Order {
  const index = order.items.findIndex((item) => item.key === key);
  if (index < 0) return order;
  const items = order.items.filter((item) => item.key !== key);
  const next = items[Math.min(index, items.length - 1)];
  return { ...order, items, selected: order.selected === key ? (next?.key ?? null) : order.selected };
}

/** Moves a step to an index, clamped to the list. */
export function movedTo(order: Order, key: number, index: number): Order {
  const item = order.items.find((candidate) => candidate.key === key);
  if (item === undefined) return order;
  const rest = order.items.filter((candidate) => candidate.key !== key);
  const at = Math.min(rest.length, Math.max(0, index));
  return { ...order, items: [...rest.slice(0, at), item, ...rest.slice(at)] };
}

/** Moves a step one place up (-1) or down (1). */
export function movedBy(order: Order, key: number, by: -1 | 1): Order {
  const index = order.items.findIndex((item) => item.key === key);
  return index < 0 ? order : movedTo(order, key, index + by);
}

/** Selects the step before (-1) or after (1) the current one. */
export function selectedBy(order: Order, by: -1 | 1): Order {
  const index = order.items.findIndex((item) => item.key === order.selected);
  const next = order.items[Math.min(order.items.length - 1, Math.max(0, index + by))];
  return { ...order, selected: next?.key ?? null };
}

/** Replaces a step's arguments. */
export const withArgs = (order: Order, key: number, args: JsonObject): Order => ({
  ...order,
  items: order.items.map((item) => (item.key === key ? { ...item, args } : item)),
});
