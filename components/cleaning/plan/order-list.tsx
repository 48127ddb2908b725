"use client";
// The list being built: a list box whose steps can be moved by pointer or keyboard.
import { useEffect, useRef, type KeyboardEvent, type RefObject } from "react";
import { Breakable } from "@/components/ui/breakable";
import { formatDuration } from "@/components/ui/format/duration";
import { Mark } from "@/components/ui/mark";
import type { CatalogueStep, EstimatedStep } from "@/server/surfaces/trpc/types";
import { formatArgs } from "@/components/cleaning/plan/fault-text";
import {
  movedBy,
  movedTo,
  removed,
  selectedBy,
  type Order,
  type OrderItem,
} from "@/components/cleaning/plan/order";
import { useDrag } from "@/components/cleaning/plan/use-drag";

interface OrderListProps {
  order: Order;
  onChange: (change: (order: Order) => Order) => void;
  catalogue: ReadonlyMap<string, CatalogueStep>;
  /** By step key; a step without an estimate yet is missing. */
  estimates?: ReadonlyMap<number, EstimatedStep>;
  /** Faults by index. */
  faults: ReadonlyMap<number, readonly string[]>;
}

/** "about 9 min", "a person". */
function takesText(estimate: EstimatedStep | undefined): string {
  if (estimate === undefined) return "";
  if (estimate.basis === "person") return "a person";
  return estimate.expectedMs === null ? "unknown" : `about ${formatDuration(estimate.expectedMs)}`;
}

/** A warning: what it erases, and that it cannot be stopped. */
function warningOf(step: CatalogueStep | undefined, estimate: EstimatedStep | undefined): string | null {
  if (step?.erases !== true) return null;
  const count = estimate?.devices.length ?? 0;
  const what =
    estimate === undefined
      ? "Erases"
      : count === 0
        ? "Erases no known drive"
        : count === 1
          ? "Erases 1 drive"
          : `Erases ${count} drives`;
  return `${what}.${step.abortable ? "" : " Cannot be stopped once sent."}`;
}

/** Reorders by key and click; the focus follows the selected step. */
function useOrderKeys(
  list: RefObject<HTMLElement | null>,
  order: Order,
  onChange: OrderListProps["onChange"],
) {
  const focusWanted = useRef(false);
  useEffect(() => {
    if (!focusWanted.current) return;
    focusWanted.current = false;
    (
      list.current?.querySelector<HTMLElement>(`[data-key="${order.selected ?? ""}"]`) ?? list.current
    )?.focus();
  }, [list, order]);
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
  return { press, select: (key: number) => change((before) => ({ ...before, selected: key })) };
}

export function OrderList({ order, onChange, catalogue, estimates, faults }: OrderListProps) {
  const list = useRef<HTMLUListElement>(null);
  const { dragged, grip } = useDrag(list, (key, index) => onChange((before) => movedTo(before, key, index)));
  const { press, select } = useOrderKeys(list, order, onChange);
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
            onClick={() => select(item.key)}
            onFocus={() => (selected ? undefined : onChange((before) => ({ ...before, selected: item.key })))}
          >
            <i className="grip" aria-hidden="true" {...grip(item.key)} />
            <OrderedStep
              item={item}
              position={index + 1}
              step={catalogue.get(`${item.interface}.${item.step}`) ?? catalogue.get(`power.${item.step}`)}
              estimate={estimates?.get(item.key)}
              faults={faults.get(index) ?? []}
            />
          </li>
        );
      })}
    </ul>
  );
}

interface OrderedStepProps {
  item: OrderItem;
  /** From 1. */
  position: number;
  step: CatalogueStep | undefined;
  estimate: EstimatedStep | undefined;
  faults: readonly string[];
}

function OrderedStep({ item, position, step, estimate, faults }: OrderedStepProps) {
  const warning = warningOf(step, estimate);
  return (
    <>
      <span className="position">{position}</span>
      <span className="mono text-medium">
        <Breakable text={`${item.interface}.${item.step}`} />
      </span>
      <span className="text-quiet text-compact">{takesText(estimate)}</span>
      <span className="args">{formatArgs(item.args)}</span>
      {warning === null ? null : (
        <span className="args marked-text">
          <Mark tone="attention" label="" />
          <span>{warning}</span>
        </span>
      )}
      {faults.map((words) => (
        <span key={words} className="args tone marked-text" data-tone="failed">
          <Mark tone="failed" label="wrong" />
          <span>{words}</span>
        </span>
      ))}
    </>
  );
}
