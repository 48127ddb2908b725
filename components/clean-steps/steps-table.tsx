"use client";
// The catalogue as a table, by interface; a row opens to show where its priority comes from, and to change it.
import { Fragment, useState, type ReactNode } from "react";
import { Mark } from "@/components/ui/mark";
import type { Catalogue, CatalogueStep } from "@/server/surfaces/trpc/types";

interface StepsTableProps {
  catalogue: Catalogue;
  /** What an open row shows. */
  detail: (step: CatalogueStep, close: () => void) => ReactNode;
}

const columns = 7;
export const sourceWords = {
  default: "default",
  site: "site",
  sku: "SKU",
  host: "host",
} as const satisfies Record<CatalogueStep["source"], string>;

/** "90", "not by itself". */
function priorityWords({ priority, reserved, source }: CatalogueStep): string {
  if (reserved) return "reserved";
  return priority > 0 ? String(priority) : source === "default" ? "by hand" : "disabled";
}

export function StepsTable({ catalogue, detail }: StepsTableProps) {
  const [open, setOpen] = useState<string | null>(null);
  const interfaces = [...new Set(catalogue.steps.map((step) => step.interface))];
  const ordered = (name: string) =>
    catalogue.steps.filter((step) => step.interface === name).sort((a, b) => b.priority - a.priority);
  return (
    <table className="t wide steps" aria-label="Clean steps">
      <colgroup>
        <col className="col-step" />
        <col className="col-priority" />
        <col className="col-source" />
        <col />
        <col className="col-where p2" />
        <col className="col-traits" />
        <col className="col-proves p3" />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">Step</th>
          <th scope="col" className="r">
            Priority
          </th>
          <th scope="col">From</th>
          <th scope="col">What it does</th>
          <th scope="col" className="p2">
            Where
          </th>
          <th scope="col">Erases, can be stopped</th>
          <th scope="col" className="p3">
            Proves
          </th>
        </tr>
      </thead>
      {interfaces.map((name) => (
        <tbody key={name}>
          <tr className="group">
            <th scope="rowgroup" colSpan={columns}>
              {name}
            </th>
          </tr>
          {ordered(name).map((step) => {
            const isOpen = step.name === open;
            const close = () => setOpen(null);
            return (
              <Fragment key={step.name}>
                <tr className={step.applies === false ? "off" : undefined}>
                  <td data-m="a">
                    <button
                      type="button"
                      className="opener mono"
                      aria-expanded={isOpen}
                      aria-label={`${step.name}, where its priority comes from`}
                      onClick={() => setOpen(isOpen ? null : step.name)}
                    >
                      {step.step}
                    </button>
                  </td>
                  <td className="r" data-m="b">
                    {priorityWords(step)}
                  </td>
                  <td className="n10" data-m="d">
                    {step.reserved ? null : step.source === "default" ? (
                      <span className="n9">default</span>
                    ) : (
                      <b className="b">{sourceWords[step.source]}</b>
                    )}
                  </td>
                  <td className="n11" data-m="c" title={step.summary}>
                    {step.applies === false ? "Nothing here for it. " : null}
                    {step.summary}
                  </td>
                  <td className="n10 p2">{step.where}</td>
                  <td>
                    <Traits step={step} />
                  </td>
                  <td className="n10 p3" title={step.proves.join(", ")}>
                    {step.proves.join(", ")}
                  </td>
                </tr>
                {isOpen ? (
                  <tr className="fold">
                    <td colSpan={columns}>{detail(step, close)}</td>
                  </tr>
                ) : null}
              </Fragment>
            );
          })}
        </tbody>
      ))}
    </table>
  );
}

/** "erases, cannot be stopped". */
function Traits({ step }: { step: CatalogueStep }) {
  const words = `${step.erases ? "erases, " : ""}${step.abortable ? "can be stopped" : "cannot be stopped"}`;
  return step.erases ? (
    <span className="st" title={words}>
      <Mark tone="attention" label="" />
      <span className="cut">{words}</span>
    </span>
  ) : (
    <span className="n10">{words}</span>
  );
}
