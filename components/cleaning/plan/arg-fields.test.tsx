// Argument fields generated from JSON Schemas.
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { ArgFields } from "@/components/cleaning/plan/arg-fields";
import { fieldOf } from "@/components/cleaning/plan/schema-field";
import { TipProvider } from "@/components/ui/tip";

const draw = (
  schema: Parameters<typeof fieldOf>[0]["schema"],
  value: Parameters<typeof ArgFields>[0]["values"][string] | undefined,
  faults: readonly (readonly [string, string])[] = [],
) =>
  renderToStaticMarkup(
    <TipProvider>
      <ArgFields
        fields={[fieldOf({ name: "arg", description: "What it does.", required: true, schema })]}
        values={value === undefined ? {} : { arg: value }}
        onChange={() => undefined}
        faults={new Map(faults)}
      />
    </TipProvider>,
  );

it("draws a number with its range and what is wrong with it", () => {
  const html = draw({ type: "integer", minimum: 0, maximum: 3600 }, "soon", [["arg", "must be an integer"]]);
  expect(html).toContain("integer, 0 to 3,600, required");
  expect(html).toContain('inputMode="decimal"');
  expect(html).toContain('value="soon"');
  expect(html).toContain("must be an integer");
  expect(html).toContain("What it does.");
});

it("draws an enumeration as a choice, with nothing chosen first", () => {
  const html = draw({ enum: ["RAID1", "RAID5"] }, undefined);
  expect(html).toContain('<option value="" selected="">choose</option>');
  expect(html).toContain('<option value="RAID5">RAID5</option>');
});

it("draws a list of texts one per line, and any other schema as JSON", () => {
  expect(draw({ type: "array", items: { type: "string" } }, ["a", "b"])).toContain(">a\nb</textarea>");
  expect(draw({ type: "object" }, { size: 1 })).toContain("&quot;size&quot;: 1");
});

it("draws a list of objects as a group for each, with faults at their place", () => {
  const html = draw(
    { type: "array", items: { type: "object", properties: { url: { type: "string" } }, required: ["url"] } },
    [{ url: "x" }, {}],
    [["arg.1.url", "is required"]],
  );
  expect(html.match(/<fieldset/g)).toHaveLength(2);
  expect(html).toContain("is required");
  expect(html).toContain("Add an entry to arg");
});
