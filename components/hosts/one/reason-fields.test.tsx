// The reason for a hold or maintenance: which fields are shown, and what is sent.
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { noReason, ReasonFields, reasonInput, reasonSchema } from "@/components/hosts/one/reason-fields";
import { useAppForm } from "@/components/ui/form/form-kit";

function Drawn({ timed }: { timed: boolean }) {
  const form = useAppForm({ defaultValues: noReason, validators: { onChange: reasonSchema } });
  return (
    <form.AppForm>
      <ReasonFields form={form} timed={timed} />
    </form.AppForm>
  );
}

describe("the reason for a hold", () => {
  it("comes with a time, maintenance without", () => {
    expect(renderToStaticMarkup(<Drawn timed />)).toContain("Hold expires after");
    expect(renderToStaticMarkup(<Drawn timed={false} />)).not.toContain("Hold expires after");
  });

  it("shows no error before the person has left the field", () => {
    expect(renderToStaticMarkup(<Drawn timed />)).not.toContain("Enter a reason");
    expect(reasonSchema.safeParse(noReason).error?.issues[0]?.message).toBe("Enter a reason");
  });

  it("is sent trimmed, with a time only where one was chosen", () => {
    expect(reasonInput({ ...noReason, reason: " bay 3 " })).toEqual({ reason: "bay 3" });
    expect(reasonInput({ reason: "bay 3", time: "4 hours" })).toEqual({ reason: "bay 3", forMs: 14_400_000 });
  });
});
