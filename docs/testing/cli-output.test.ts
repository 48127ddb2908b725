// What `reclaim schema` says of each command's output (docs/cli.md).
import { expect, it } from "vitest";
import { pageMembers, printed } from "@/cli/output/printed";
import { outputSchema, shapes } from "@/cli/output/shapes";

it("has nothing that is only for pages, and keeps recorded facts", () => {
  for (const name of Object.keys(shapes)) {
    const schema = JSON.stringify(outputSchema(name));
    for (const member of pageMembers) expect(schema).not.toContain(`"${member}":{`);
  }
  const facts = { live: 1 };
  expect(printed({ tone: "good", rows: [{ live: true, name: "a" }], after: facts })).toEqual({
    rows: [{ name: "a" }],
    after: facts,
  });
});
