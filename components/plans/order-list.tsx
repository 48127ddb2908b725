"use client";
// The list that is being built: a list box whose steps are moved by pointer or keyboard.
import { useEffect, useRef, type KeyboardEvent } from "react";
import { formatDuration } from "@/components/ui/format/duration";
import { Mark } from "@/components/ui/mark";
import type { CatalogueStep, EstimatedStep } from "@/server/surfaces/trpc/types";
import { argsWords } from "@/components/plans/fault-words";
import { movedBy, movedTo, removed, selectedBy, type Order } from "@/components/plans/order";
import { useDrag } from "@/components/plans/use-drag";

interface OrderListProps {
  order: Order;
  onChange: (change: (order: Order) => Order) => void;
  catalogue: ReadonlyMap<string, CatalogueStep>;
  /** By index in the list; a step that is not estimated yet is missing. */
  estimates: ReadonlyMap<number, EstimatedStep>;
  /** What is wrong, by index. */
  faults: ReadonlyMap<number, readonly string[]>;
}

/** "about 9 min", "a person". */
function takesWords(estimate: EstimatedStep | undefined): string {
  if (estimate === undefined) return "";
  if (estimate.basis === "person") return "a person";
  return estimate.expectedMs === null ? "unknown" : `about ${formatDuration(estimate.expectedMs)}`;
}

/** What to know before it runs: what it erases, and that it cannot be stopped. */
function warningOf(step: CatalogueStep | undefined, estimate: EstimatedStep | undefined): string | null {
  if (step?.erases !== true) return null;
  const count = estimate?.devices.length ?? 0;
  const what =
    estimate === undefined
      ? "Erases"
      : count === 0
        ? "Erases nothing that is known here"
        : count === 1
          ? "Erases 1 drive"
          : `Erases ${count} drives`;
  return `${what}.${step.abortable ? "" : " Cannot be stopped once sent."}`;
}

export function OrderList({ order, onChange, catalogue, estimates, faults }: OrderListProps) {
  const list = useRef<HTMLUListElement>(null);
  const { dragged, grip } = useDrag(list, (key, index) => onChange((before) => movedTo(before, key, index)));
  const focusWanted = useRef(false);
  useEffect(() => {
    if (!focusWanted.current) return;
    focusWanted.current = false;
    (
      list.current?.querySelector<HTMLElement>(`[data-key="${order.selected ?? ""}"]`) ?? list.current
    )?.focus();
  }, [order]);
  const change = (by: (order: Order) => Order) => {
    focusWanted.current = true;
    onChange(by);
  };
  const press = (event: KeyboardEvent) => {
    const key = order.selected;
    if (key === null) return;
    const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    if (by !== 0) change((before) => (event.altKey ? movedBy(before, key, by) : selectedBy(before, by)));
    else if (event.key === "Delete" || event.key === "Backspace") change((before) => removed(before, key));
    else return;
    event.preventDefault();
  };
  return (
    <ul
      ref={list}
      className="order"
      role="listbox"
      aria-label="Order"
      aria-orientation="vertical"
      tabIndex={order.items.length === 0 ? 0 : -1}
      onKeyDown={press}
    >
      {order.items.map((item, index) => {
        const name = `${item.interface}.${item.step}`;
        const step = catalogue.get(name) ?? catalogue.get(`power.${item.step}`);
        const estimate = estimates.get(index);
        const warning = warningOf(step, estimate);
        const selected = item.key === order.selected;
        return (
          <li
            key={item.key}
            data-key={item.key}
            role="option"
            aria-selected={selected}
            aria-posinset={index + 1}
            aria-setsize={order.items.length}
            tabIndex={selected ? 0 : -1}
            className={item.key === dragged ? "held" : undefined}
            onClick={() => change((before) => ({ ...before, selected: item.key }))}
            onFocus={() => (selected ? undefined : onChange((before) => ({ ...before, selected: item.key })))}
          >
            <i className="grip" aria-hidden="true" {...grip(item.key)} />
            <span className="position">{index + 1}</span>
            <span className="mono text-medium cut">{name}</span>
            <span className="text-quiet text-compact">{takesWords(estimate)}</span>
            <span className="args">{argsWords(item.args)}</span>
            {warning === null ? null : (
              <span className="args marked-text">
                <Mark tone="attention" label="" />
                <span>{warning}</span>
              </span>
            )}
            {(faults.get(index) ?? []).map((words) => (
              <span key={words} className="args tone marked-text" data-tone="failed">
                <Mark tone="failed" label="wrong" />
                <span>{words}</span>
              </span>
            ))}
          </li>
        );
      })}
    </ul>
  );
}
