"use client";
// The form of one step: what it does, its arguments, and buttons to move it without dragging.
import { Breakable } from "@/components/ui/breakable";
import { Button } from "@/components/ui/button";
import type { CatalogueStep } from "@/server/surfaces/trpc/types";
import { ArgFields, type PathFaults } from "@/components/cleaning/plan/arg-fields";
import { movedBy, removed, withArgs, type Order, type OrderItem } from "@/components/cleaning/plan/order";
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

export function StepForm({ item, index, count, step, faults, onChange }: StepFormProps) {
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
