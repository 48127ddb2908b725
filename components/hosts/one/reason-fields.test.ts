// The reason for a hold or maintenance: which fields are shown, and what is sent.
import { describe, expect, it } from "vitest";
import { noReason, reasonInput, reasonSchema, reasonSpecs } from "@/components/hosts/one/reason-fields";

describe("the reason for a hold", () => {
  it("comes with a time, maintenance without", () => {
    expect(reasonSpecs(true).time?.label).toBe("Hold expires after");
    expect(reasonSpecs(false).time).toBeNull();
  });

  it("is required", () => {
    expect(reasonSchema.safeParse(noReason).error?.issues[0]?.message).toBe("Enter a reason");
  });

  it("is sent trimmed, with a time only where one was chosen", () => {
    expect(reasonInput({ ...noReason, reason: " bay 3 " })).toEqual({ reason: "bay 3" });
    expect(reasonInput({ reason: "bay 3", time: "4 hours" })).toEqual({ reason: "bay 3", forMs: 14_400_000 });
  });
});
