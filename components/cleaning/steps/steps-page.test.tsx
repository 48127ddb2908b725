// @vitest-environment happy-dom
// The clean steps page shows at its top what will run and in which order.
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Suspense } from "react";
import { expect, it } from "vitest";
import { StepsPage } from "@/components/cleaning/steps/steps-page";
import { catalogue, scopes } from "@/components/testing/cleaning";
import { show } from "@/components/testing/rendered";

it("the order in force comes before the table of all steps", async () => {
  show(
    <Suspense>
      <StepsPage view={{ kind: "host", host: "r1-h01" }} />
    </Suspense>,
    {
      answers: {
        "cleaning.scopes": () => scopes,
        "cleaning.catalogue": () => ({ ...catalogue, order: ["deploy.erase_nvme"] }),
        "cleaning.overrides": () => [],
      },
    },
  );
  const order = await screen.findByRole("region", { name: "Order" });
  const [table] = screen.getAllByRole("table");
  expect(table && order.compareDocumentPosition(table)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  await userEvent.type(
    screen.getByRole("searchbox", { name: "Filter steps" }),
    "step:deploy.* traits:erases",
  );
  expect(screen.getByText("1 of 3 steps match")).toBeVisible();
});
