// A field for screen readers: label, hint and error are linked to the control.
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Field, Select, TextInput } from "@/components/ui/form/controls";

const attribute = (html: string, name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(html)?.[1];

describe("a field", () => {
  it("joins its control with label, hint and error", () => {
    const html = renderToStaticMarkup(
      <Field label="Slot" hint="As the inventory names it." error="Enter the slot" required>
        {(aria) => <TextInput aria={aria} value="" onChange={() => undefined} />}
      </Field>,
    );
    const id = attribute(html, "for");
    expect(html).toContain(`<input id="${id}"`);
    expect(attribute(html, "aria-describedby")).toBe(`${id}-hint ${id}-error`);
    expect(html).toContain(`id="${id}-hint" class="hint">As the inventory names it.`);
    expect(html).toContain("Enter the slot");
    expect(attribute(html, "aria-invalid")).toBe("true");
    expect(attribute(html, "aria-required")).toBe("true");
  });

  it("without an error says nothing of one", () => {
    const html = renderToStaticMarkup(
      <Field label="SKU">
        {(aria) => (
          <Select
            aria={aria}
            value="b"
            options={[
              { value: "a", label: "A" },
              { value: "b", label: "B" },
            ]}
            onChange={() => undefined}
          />
        )}
      </Field>,
    );
    expect(html).not.toContain("aria-");
    expect(html).toContain('<option value="b" selected="">B</option>');
  });
});
