"use client";
// The builder: available steps on the left, the list in the middle, the selected step's arguments on the right.
import { type ReactNode, useMemo } from "react";
import { useKey } from "@/components/frame/keyboard";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { type ManualFault, maxManualSteps } from "@/server/domain/cleaning/plan/manual";
import type { CatalogueStep, EstimatedStep } from "@/server/surfaces/trpc/types";
import { CatalogueList } from "@/components/cleaning/plan/catalogue-list";
import { formatFault } from "@/components/cleaning/plan/fault-text";
import {
  added,
  movedBy,
  type Order,
  type OrderItem,
  removed,
  withArgs,
} from "@/components/cleaning/plan/order";
import { OrderList } from "@/components/cleaning/plan/order-list";
import { Breakable } from "@/components/ui/breakable";
import { ArgFields, type PathFaults } from "@/components/cleaning/plan/arg-fields";
import { fieldOf } from "@/components/cleaning/plan/schema-field";

interface StepFormProps {
  item: OrderItem;
  index: number;
  count: number;
  /** Undefined: an unknown step. */
  step: CatalogueStep | undefined;
  faults: PathFaults;
  onChange: (change: (order: Order) => Order) => void;
}

/** "controller, cannot be stopped". */
const kindText = ({ where, abortable, reserved }: CatalogueStep) =>
  `${reserved ? "reserved" : where}, ${abortable ? "can be stopped" : "cannot be stopped"}`;

/** The form of one step: what it does, its arguments, and buttons to move it without dragging. */
function StepForm({ item, index, count, step, faults, onChange }: StepFormProps) {
  return (
    <>
      <div className="sec">
        <h2>
          {index + 1}. <Breakable text={`${item.interface}.${item.step}`} />
        </h2>
        <span className="sum cut">{step === undefined ? "" : kindText(step)}</span>
      </div>
      {step === undefined ? (
        <p className="tone" data-tone="failed">
          The host has no step with this name.
        </p>
      ) : (
        <p className="text-quiet">{step.summary}</p>
      )}
      {step === undefined || step.args.length > 0 ? null : (
        <p className="text-quiet after">It takes no arguments.</p>
      )}
      {step === undefined ? null : (
        <ArgFields
          fields={step.args.map(fieldOf)}
          values={item.args}
          faults={faults}
          onChange={(args) => onChange((order) => withArgs(order, item.key, args))}
        />
      )}
      <div className="acts left after">
        <Button
          small
          onClick={() => onChange((order) => movedBy(order, item.key, -1))}
          disabledReason={index === 0 ? "It is the first" : undefined}
        >
          Move up
        </Button>
        <Button
          small
          onClick={() => onChange((order) => movedBy(order, item.key, 1))}
          disabledReason={index === count - 1 ? "It is the last" : undefined}
        >
          Move down
        </Button>
        <Button small onClick={() => onChange((order) => removed(order, item.key))}>
          Remove step {index + 1}
        </Button>
      </div>
    </>
  );
}

interface BuilderProps {
  steps: readonly CatalogueStep[];
  ofOneHost: boolean;
  order: Order;
  onChange: (change: (order: Order) => Order) => void;
  faults: readonly ManualFault[];
  /** By step key; undefined if there is no host to estimate for. */
  estimates?: ReadonlyMap<number, EstimatedStep>;
  /** "5 steps, about 20 min". */
  sum: string;
  /** Under the list. */
  below: ReactNode;
  /** Under the form: the buttons. */
  foot: ReactNode;
}

/** Focuses the step search. */
function toSearch(): void {
  document.querySelector<HTMLInputElement>(".build [data-filter]")?.focus();
}

export function Builder(props: BuilderProps) {
  const { steps, ofOneHost, order, onChange, sum, below, foot } = props;
  const full = order.items.length >= maxManualSteps;
  useKey("a", toSearch);
  return (
    <div className="build">
      <CatalogueList
        steps={steps}
        ofOneHost={ofOneHost}
        onAdd={(step) => (full ? undefined : onChange((before) => added(before, step)))}
      />
      <section aria-label="Order and what it takes">
        <div className="sec">
          <h2>Order</h2>
          <span className="sum cut" role="status">
            {sum}
          </span>
          <span className="end text-faint text-compact hidden-narrow">
            <kbd>alt ↑</kbd> <kbd>alt ↓</kbd> move, <kbd>del</kbd> remove
          </span>
        </div>
        <Ordered {...props} />
        <Button
          kind="plain"
          className="flush after"
          onClick={toSearch}
          disabledReason={full ? `A list has at most ${maxManualSteps} steps` : undefined}
        >
          Add a step <kbd aria-hidden="true">a</kbd>
        </Button>
        {below}
      </section>
      <section className="form" aria-label="Arguments">
        <SelectedStep {...props} />
        <div className="foot">{foot}</div>
      </section>
    </div>
  );
}

/** The list, with each step's estimate and faults. */
function Ordered({ steps, order, onChange, estimates, faults }: BuilderProps) {
  const byName = useMemo(() => new Map(steps.map((step) => [step.name, step])), [steps]);
  const words = useMemo(() => stepFaults(faults, order), [faults, order]);
  return order.items.length === 0 ? (
    <Empty title="No step yet">
      Choose steps on the left, or press a and type. They run from top to bottom.
    </Empty>
  ) : (
    <OrderList
      order={order}
      onChange={onChange}
      catalogue={byName}
      {...(estimates === undefined ? {} : { estimates })}
      faults={words}
    />
  );
}

function SelectedStep({ steps, order, onChange, faults }: BuilderProps) {
  const index = order.items.findIndex((item) => item.key === order.selected);
  const item = order.items[index];
  if (item === undefined)
    return <Empty title="No step chosen">Choose a step to see what it does and to set its arguments.</Empty>;
  const named = (name: string) => steps.find((step) => step.name === name);
  return (
    <StepForm
      key={item.key}
      item={item}
      index={index}
      count={order.items.length}
      step={named(`${item.interface}.${item.step}`) ?? named(`power.${item.step}`)}
      faults={pathFaults(faults, index, order)}
      onChange={onChange}
    />
  );
}

/** The faults of each step, by index. */
function stepFaults(faults: readonly ManualFault[], order: Order): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, string[]>();
  for (const fault of faults)
    found.set(fault.index, [...(found.get(fault.index) ?? []), formatFault(fault, order.items[fault.index])]);
  return found;
}

/** The first fault of each argument path of one step. */
function pathFaults(
  faults: readonly ManualFault[],
  index: number,
  order: Order,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const fault of faults) {
    if (fault.index === index && fault.argument !== null && !found.has(fault.argument))
      found.set(fault.argument, formatFault(fault, order.items[index]));
  }
  return found;
}
